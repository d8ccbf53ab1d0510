package io.middleware.engine.simulator.agents;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pods of all Apps, from a watch that survives restarts of the API server. */
final class PodWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PodWatch.class);
  private static final String BY_GROUP = "group";

  private final List<SharedIndexInformer<Pod>> informers = new ArrayList<>();

  /** Watches the given namespaces, or all when none is given. */
  PodWatch(KubernetesClient client, List<String> namespaces) {
    if (namespaces.isEmpty()) {
      informers.add(
          client.pods().inAnyNamespace().withLabel(GroupKey.APP_LABEL).runnableInformer(0));
    }
    for (var namespace : namespaces) {
      informers.add(
          client.pods().inNamespace(namespace).withLabel(GroupKey.APP_LABEL).runnableInformer(0));
    }
    for (var informer : informers) {
      informer.addIndexers(Map.of(BY_GROUP, pod -> List.of(GroupKey.of(pod).toString())));
      informer.exceptionHandler(PodWatch::keepWatching);
    }
  }

  List<Pod> allOf(GroupKey key) {
    return informers.stream()
        .flatMap(informer -> informer.getIndexer().byIndex(BY_GROUP, key.toString()).stream())
        .toList();
  }

  /**
   * Reports each group that changes, after all pods have been listed, so that no group is
   * reconciled with only some of its pods.
   */
  void start(Consumer<GroupKey> changed) {
    var listed = informers.stream().map(i -> i.start().toCompletableFuture());
    CompletableFuture.allOf(listed.toArray(CompletableFuture[]::new))
        .thenRun(
            () -> {
              informers.forEach(i -> i.addEventHandler(new Changes(changed)));
              LOG.info("watching pods");
            });
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::stop);
  }

  private static boolean keepWatching(boolean started, Throwable cause) {
    LOG.atWarn().setCause(cause).log("cannot watch pods; retrying");
    return true;
  }

  private record Changes(Consumer<GroupKey> changed) implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      changed.accept(GroupKey.of(pod));
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      Stream.of(before, pod).map(GroupKey::of).distinct().forEach(changed);
    }

    @Override
    public void onDelete(Pod pod, boolean finalStateUnknown) {
      changed.accept(GroupKey.of(pod));
    }
  }
}
