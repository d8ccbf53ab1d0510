package io.middleware.engine.e2e;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Finds pods that were evicted although they were up to date: the second restart for one change.
 * All objects of an API server share one sequence of resource versions, so that it is known which
 * revision a StatefulSet wanted when a pod was marked for deletion.
 */
public final class NeedlessReplacements implements AutoCloseable {
  private final Shop shop;
  private final AuditLog audit;
  private final Map<String, TreeMap<Long, Wanted>> wanted = new ConcurrentHashMap<>();
  private final Map<String, Marked> marked = new ConcurrentHashMap<>();
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

  public NeedlessReplacements(Shop shop) {
    this.shop = shop;
    this.audit = AuditLog.fromNow();
    var client = shop.client;
    informers.add(
        client.apps().statefulSets().inNamespace(shop.namespace).inform(handler(this::noteSet)));
    informers.add(client.pods().inNamespace(shop.namespace).inform(handler(this::notePod)));
  }

  /** What a StatefulSet is to have, and the revision that its controller makes pods of. */
  private record Wanted(String revision, int replicas) {}

  private record Marked(
      String pod, String set, int ordinal, String revision, long version, Instant at) {}

  public List<String> found() {
    return evicted().stream()
        .filter(this::wasUpToDate)
        .map(pod -> pod + " of " + wanted.get(pod.set()))
        .toList();
  }

  /**
   * Under load the simulated kubelet deletes by name, and may hit the successor: of the pods of one
   * name that were marked at the time of an eviction, the first is the one that was evicted.
   */
  private Set<Marked> evicted() {
    var inOrder =
        marked.values().stream().sorted(Comparator.comparingLong(Marked::version)).toList();
    Set<Marked> evicted = new LinkedHashSet<>();
    audit.writes(shop.namespace).stream()
        .filter(write -> write.resource().equals("pods/eviction"))
        .forEach(
            eviction ->
                inOrder.stream()
                    .filter(pod -> !evicted.contains(pod) && isOf(pod, eviction))
                    .findFirst()
                    .ifPresent(evicted::add));
    return evicted;
  }

  /** A mark has no fractions of a second. */
  private static boolean isOf(Marked pod, AuditLog.Entry eviction) {
    return eviction.name().equals(pod.pod())
        && Duration.between(pod.at(), eviction.at()).abs().compareTo(Duration.ofSeconds(2)) < 0;
  }

  private boolean wasUpToDate(Marked pod) {
    var before = wanted.getOrDefault(pod.set(), new TreeMap<>()).floorEntry(pod.version());
    return before != null
        && before.getValue().replicas() > pod.ordinal()
        && before.getValue().revision().equals(pod.revision());
  }

  private void noteSet(StatefulSet set) {
    var seen =
        set.getStatus() != null
            && set.getMetadata().getGeneration().equals(set.getStatus().getObservedGeneration());
    wanted
        .computeIfAbsent(set.getMetadata().getName(), name -> new TreeMap<>())
        .put(
            version(set),
            new Wanted(
                seen ? set.getStatus().getUpdateRevision() : "",
                set.isMarkedForDeletion() ? 0 : set.getSpec().getReplicas()));
  }

  /** Then its pods are deleted as well. */
  private void noteDeletion(HasMetadata object) {
    if (object instanceof StatefulSet set) {
      wanted
          .computeIfAbsent(set.getMetadata().getName(), name -> new TreeMap<>())
          .put(version(set), new Wanted("", 0));
    }
  }

  private void notePod(Pod pod) {
    if (!pod.isMarkedForDeletion()) {
      return;
    }
    var name = pod.getMetadata().getName();
    var dash = name.lastIndexOf('-');
    marked.putIfAbsent(
        pod.getMetadata().getUid(),
        new Marked(
            name,
            name.substring(0, dash),
            Integer.parseInt(name.substring(dash + 1)),
            pod.getMetadata().getLabels().get("controller-revision-hash"),
            version(pod),
            Instant.parse(pod.getMetadata().getDeletionTimestamp())
                .minusSeconds(pod.getMetadata().getDeletionGracePeriodSeconds())));
  }

  private static long version(HasMetadata object) {
    return Long.parseLong(object.getMetadata().getResourceVersion());
  }

  private <T extends HasMetadata> ResourceEventHandler<T> handler(Consumer<T> seen) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T object) {
        seen.accept(object);
      }

      @Override
      public void onUpdate(T before, T object) {
        seen.accept(object);
      }

      @Override
      public void onDelete(T object, boolean unknown) {
        noteDeletion(object);
      }
    };
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::close);
  }
}
