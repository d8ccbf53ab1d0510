package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.watcher.cache.ObservedObjects;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The objects of an App that exist, of the kinds that are watched.
 *
 * @param known whether they have been observed at all
 */
public record ExistingObjects(boolean known, List<HasMetadata> all) {
  static final ExistingObjects UNKNOWN = new ExistingObjects(false, List.of());

  public ExistingObjects {
    all = List.copyOf(all);
  }

  /** As they have been observed, of whatever kinds. */
  public static ExistingObjects of(List<? extends HasMetadata> all) {
    return new ExistingObjects(true, List.copyOf(all));
  }

  /** Whether the object should be among these, and is not. */
  boolean lack(InventoryItem item) {
    return known && ObservedObjects.contain(item) && find(item).isEmpty();
  }

  Optional<HasMetadata> find(InventoryItem item) {
    return found(item).filter(object -> !object.isMarkedForDeletion()).findFirst();
  }

  private Stream<HasMetadata> found(InventoryItem item) {
    return all.stream()
        .filter(object -> object.getKind().equals(item.kind()))
        .filter(object -> object.getMetadata().getName().equals(item.name()));
  }
}
