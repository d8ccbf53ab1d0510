package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pods of all Jobs, each of which is a group of its own to the {@link PodHost}. */
public final class JobPods implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobPods.class);
  private static final String LABEL = "batch.kubernetes.io/job-name";
  private static final String GROUP = "job/";

  private final PodHost host;
  private final List<SharedIndexInformer<Pod>> informers = new ArrayList<>();

  /** Watches the given namespaces, or all when none is given. */
  public JobPods(KubernetesClient client, PodHost host, List<String> namespaces) {
    this.host = host;
    if (namespaces.isEmpty()) {
      informers.add(client.pods().inAnyNamespace().withLabel(LABEL).runnableInformer(0));
    }
    for (var namespace : namespaces) {
      informers.add(client.pods().inNamespace(namespace).withLabel(LABEL).runnableInformer(0));
    }
  }

  /** Returns at once; survives restarts of the API server. */
  public void start() {
    for (var informer : informers) {
      informer.exceptionHandler(JobPods::keepWatching);
      informer.addEventHandler(new Changes());
      informer.start();
    }
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::stop);
  }

  static boolean isOne(Pod pod) {
    var labels = pod.getMetadata().getLabels();
    return labels != null && labels.containsKey(LABEL);
  }

  /** Whether a group is one pod of a Job. */
  static boolean isGroup(String group) {
    return group.startsWith(GROUP);
  }

  private void changed(Pod pod, List<Pod> now) {
    host.changed(GROUP + pod.getMetadata().getUid(), now);
  }

  private static boolean keepWatching(boolean started, Throwable cause) {
    LOG.atWarn().setCause(cause).log("cannot watch pods of Jobs; retrying");
    return true;
  }

  private final class Changes implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      changed(pod, List.of(pod));
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      changed(pod, List.of(pod));
    }

    @Override
    public void onDelete(Pod pod, boolean finalStateUnknown) {
      changed(pod, List.of());
    }
  }
}
