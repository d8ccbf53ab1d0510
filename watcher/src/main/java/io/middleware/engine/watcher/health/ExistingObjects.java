package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.watcher.cache.ObservedObjects;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The objects of an App that exist, of the kinds that are watched.
 *
 * @param known whether they have been observed at all
 * @param readable whether objects of this kind could be observed
 */
public record ExistingObjects(
    boolean known, Predicate<InventoryItem> readable, List<? extends HasMetadata> all) {
  static final ExistingObjects UNKNOWN = new ExistingObjects(false, item -> false, List.of());

  public ExistingObjects {
    all = List.copyOf(all);
  }

  /** As far as they could be observed. */
  public static ExistingObjects of(
      Predicate<InventoryItem> readable, List<? extends HasMetadata> all) {
    return new ExistingObjects(true, readable, all);
  }

  /** Whether the object should be among these, and is not. */
  boolean lack(InventoryItem item) {
    return known && readable.test(item) && ObservedObjects.contain(item) && find(item).isEmpty();
  }

  Optional<? extends HasMetadata> find(InventoryItem item) {
    return found(item).filter(object -> !object.isMarkedForDeletion()).findFirst();
  }

  private Stream<? extends HasMetadata> found(InventoryItem item) {
    return all.stream()
        .filter(object -> object.getKind().equals(item.kind()))
        .filter(object -> object.getMetadata().getName().equals(item.name()));
  }
}
