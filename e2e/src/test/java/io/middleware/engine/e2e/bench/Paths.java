package io.middleware.engine.e2e.bench;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetUpdateStrategyBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * P3: path efficiency, the pods' own times over the time that the change took, where one pod goes
 * after the other; beside it one StatefulSet of as many pods that its controller replaces.
 *
 * <p>A pod's own time is from its deletion until its successor is Ready, as seen by a watch.
 */
final class Paths {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final String APP = "app";
  private static final String PEER = "peer";

  private final Figures figures;

  Paths(Figures figures) {
    this.figures = figures;
  }

  void run(int runs) throws IOException {
    measure("P3.3s", "3s", runs);
    measure("P3.8s", "8s", 1);
  }

  private void measure(String key, String readyAfter, int runs) throws IOException {
    try (var fleet = new Fleet("bench-paths-" + readyAfter, readyAfter)) {
      fleet.apply(APP, Shape.M, "7.0");
      fleet.awaitReady(APP);
      for (int run = 0; run < runs; run++) {
        var version = run % 2 == 0 ? "7.2" : "7.0";
        var watch = new OwnTimes(fleet);
        var begin = Instant.now();
        fleet.apply(APP, Shape.M, version);
        fleet.awaitReady(APP);
        figures.add(key, watch.efficiency(begin));
      }
      if (key.equals("P3.3s")) {
        peer(fleet);
      }
    }
  }

  /** The pods of the App once more, in one set, replaced by nobody but its controller. */
  private void peer(Fleet fleet) {
    var sets = fleet.client.apps().statefulSets().inNamespace(fleet.namespace);
    sets.resource(peerOf(sets.list().getItems().getFirst())).create();
    awaitRolled(fleet);
    var watch = new OwnTimes(fleet);
    var begin = Instant.now();
    sets.withName(PEER).edit(Paths::annotated);
    awaitRolled(fleet);
    figures.add("P3.peer3s", watch.efficiency(begin));
  }

  private static StatefulSet peerOf(StatefulSet model) {
    var labels = Map.of("app", PEER);
    var peer = new StatefulSetBuilder(model).withNewMetadata().withName(PEER).endMetadata().build();
    var spec = peer.getSpec();
    peer.setStatus(null);
    spec.setReplicas(Shape.M.all());
    spec.setUpdateStrategy(
        new StatefulSetUpdateStrategyBuilder().withType("RollingUpdate").build());
    spec.setSelector(new LabelSelectorBuilder().withMatchLabels(labels).build());
    spec.getTemplate().getMetadata().setLabels(labels);
    return peer;
  }

  private static StatefulSet annotated(StatefulSet set) {
    set.getSpec().getTemplate().getMetadata().getAnnotations().put("edit", "1");
    return set;
  }

  private static void awaitRolled(Fleet fleet) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                isRolled(
                    fleet
                        .client
                        .apps()
                        .statefulSets()
                        .inNamespace(fleet.namespace)
                        .withName(PEER)
                        .get()));
  }

  private static boolean isRolled(StatefulSet set) {
    var status = set.getStatus();
    return status != null
        && set.getMetadata().getGeneration().equals(status.getObservedGeneration())
        && Integer.valueOf(Shape.M.all()).equals(status.getReadyReplicas())
        && Integer.valueOf(Shape.M.all()).equals(status.getUpdatedReplicas())
        && status.getUpdateRevision().equals(status.getCurrentRevision());
  }

  /** When pods began to go, and when their successors were ready. */
  private static final class OwnTimes implements ResourceEventHandler<Pod> {
    private final Map<String, Instant> gone = new ConcurrentHashMap<>();
    private final Map<String, Instant> ready = new ConcurrentHashMap<>();
    private final Map<String, String> first = new ConcurrentHashMap<>();

    OwnTimes(Fleet fleet) {
      fleet.client.pods().inNamespace(fleet.namespace).inform(this);
    }

    @Override
    public void onAdd(Pod pod) {
      note(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      note(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
      note(pod);
      gone.putIfAbsent(pod.getMetadata().getName(), Instant.now());
    }

    private void note(Pod pod) {
      var name = pod.getMetadata().getName();
      var uid = first.computeIfAbsent(name, key -> pod.getMetadata().getUid());
      if (!uid.equals(pod.getMetadata().getUid())) {
        if (Readiness.isPodReady(pod)) {
          ready.putIfAbsent(name, Instant.now());
        }
      } else if (pod.getMetadata().getDeletionTimestamp() != null) {
        gone.putIfAbsent(name, Instant.now());
      }
    }

    double efficiency(Instant begin) {
      var own =
          gone.entrySet().stream()
              .filter(entry -> ready.containsKey(entry.getKey()))
              .map(entry -> Duration.between(entry.getValue(), ready.get(entry.getKey())))
              .reduce(Duration.ZERO, Duration::plus);
      var end = List.copyOf(ready.values()).stream().max(Instant::compareTo).orElseThrow();
      return own.toNanos() / (double) Duration.between(begin, end).toNanos();
    }
  }
}
