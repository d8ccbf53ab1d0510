package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All pods of Jobs whose command runs for real, which are those with the annotation {@value
 * PodHost#ANNOTATION} and the value {@value #COMMAND}.
 */
public final class CommandPods implements AutoCloseable {
  /** The value of the annotation. */
  static final String COMMAND = "command";

  private static final Logger LOG = LoggerFactory.getLogger(CommandPods.class);
  private static final String JOB_LABEL = "batch.kubernetes.io/job-name";

  private final KubernetesClient client;
  private final HostSettings settings;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, CommandPod> hosted = new ConcurrentHashMap<>();
  private final List<SharedIndexInformer<Pod>> informers = new ArrayList<>();

  /** Watches the given namespaces, or all when none is given. */
  public CommandPods(KubernetesClient client, HostSettings settings, List<String> namespaces) {
    this.client = client;
    this.settings = settings;
    if (namespaces.isEmpty()) {
      informers.add(client.pods().inAnyNamespace().withLabel(JOB_LABEL).runnableInformer(0));
    }
    for (var namespace : namespaces) {
      informers.add(client.pods().inNamespace(namespace).withLabel(JOB_LABEL).runnableInformer(0));
    }
  }

  /** Returns at once; survives restarts of the API server. */
  public void start() {
    for (var informer : informers) {
      informer.exceptionHandler(CommandPods::keepWatching);
      informer.addEventHandler(new Changes());
      informer.start();
    }
  }

  /** The commands continue. */
  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::stop);
    threads.shutdownNow();
  }

  private void changed(Pod pod) {
    if (hasCommand(pod)) {
      hosted.computeIfAbsent(uid(pod), uid -> host(pod)).observe(List.of(pod));
    }
  }

  private void gone(Pod pod) {
    var gone = hosted.remove(uid(pod));
    if (gone != null) {
      gone.observe(List.of());
    }
  }

  private CommandPod host(Pod pod) {
    var commandPod = new CommandPod(pod, client, settings);
    threads.execute(commandPod);
    return commandPod;
  }

  private static boolean hasCommand(Pod pod) {
    var annotations = pod.getMetadata().getAnnotations();
    return annotations != null
        && COMMAND.equals(annotations.get(PodHost.ANNOTATION))
        && pod.getStatus().getPodIP() != null;
  }

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }

  private static boolean keepWatching(boolean started, Throwable cause) {
    LOG.atWarn().setCause(cause).log("cannot watch pods of Jobs; retrying");
    return true;
  }

  private final class Changes implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      changed(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      changed(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean finalStateUnknown) {
      gone(pod);
    }
  }
}
