package io.middleware.engine.e2e.bench;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** The objects of one peer, which are all brought to a version at once; none is left at the end. */
final class PeerObjects implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Fleet fleet;
  private final Peer peer;
  private final int count;

  /** A watch, as reading them again and again would be a load of its own. */
  private final SharedIndexInformer<GenericKubernetesResource> seen;

  PeerObjects(Fleet fleet, Peer peer, int count) {
    this.fleet = fleet;
    this.peer = peer;
    this.count = count;
    this.seen =
        fleet
            .client
            .genericKubernetesResources(peer.apiVersion, peer.kind)
            .inNamespace(fleet.namespace)
            .inform();
  }

  /** Returns how many seconds it took. */
  double bring(String version) {
    var begin = System.nanoTime();
    var applied = new ConcurrentHashMap<String, Long>();
    try (var threads = Executors.newFixedThreadPool(20)) {
      IntStream.range(0, count)
          .mapToObj(number -> peer.key + "-" + number)
          .forEach(name -> threads.submit(() -> applied.put(name, apply(name, version))));
    }
    await(peer.key + " at " + version)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                seen.getStore().list().stream().filter(object -> isDone(object, applied)).count()
                    == count);
    return (System.nanoTime() - begin) / 1e9;
  }

  private long apply(String name, String version) {
    return fleet.apply(peer.yaml(fleet.namespace, name, version));
  }

  /**
   * The watch may be behind, so the generation is compared with the one that was answered. It may
   * be a later one: Argo Rollouts adds defaults to the spec.
   */
  private boolean isDone(GenericKubernetesResource object, Map<String, Long> applied) {
    var generation = object.getMetadata().getGeneration();
    return generation >= applied.getOrDefault(object.getMetadata().getName(), Long.MAX_VALUE)
        && generation.toString().equals(String.valueOf(observed(object)))
        && peer.isDone(object);
  }

  /** A number, or a text where it is one of Argo Rollouts. */
  private static Object observed(GenericKubernetesResource object) {
    return object.get("status", "observedGeneration");
  }

  @Override
  public void close() {
    seen.getStore().list().parallelStream()
        .forEach(object -> fleet.client.resource(object).delete());
    await(peer.key + " gone").atMost(PATIENCE).until(() -> seen.getStore().list().isEmpty());
    await("pods gone")
        .atMost(PATIENCE)
        .until(() -> fleet.client.pods().inNamespace(fleet.namespace).list().getItems().isEmpty());
    seen.close();
  }
}
