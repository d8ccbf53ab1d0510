package io.middleware.engine.planning.validation;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Storage;
import io.middleware.engine.planning.app.ExistingVolumeClaim;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Checks whether existing volumes allow the desired storage. */
public final class StorageRules {
  private StorageRules() {}

  /** Compares with the deployed group. */
  static List<String> problems(String field, GroupTemplate was, GroupTemplate desired) {
    if (was.storage() == null || desired.storage() == null) {
      return was.storage() == desired.storage()
          ? List.of()
          : List.of(
              field
                  + (desired.storage() == null
                      ? " cannot be removed, because its data would be lost"
                      : " cannot be added to pods that run without it")
                  + ": remove the group and add one with another name");
    }
    return Stream.concat(
            smaller(field, "the group has", was.storage(), desired.storage()),
            Objects.equals(was.storage().storageClassName(), desired.storage().storageClassName())
                ? Stream.empty()
                : storageClass(field, "the group has", was.storage()))
        .toList();
  }

  /** Compares with a volume that remains of a removed group of this name. */
  static List<String> problems(
      String field, ExistingVolumeClaim volumeClaim, GroupTemplate desired) {
    if (desired.storage() == null) {
      return List.of();
    }
    var holder = "PersistentVolumeClaim " + volumeClaim.name() + ", which still exists, has";
    var desiredClass = desired.storage().storageClassName();
    return Stream.concat(
            Stream.concat(
                smaller(field, holder, volumeClaim.storage(), desired.storage()),
                larger(field, volumeClaim, desired.storage())),
            desiredClass == null || desiredClass.equals(volumeClaim.storage().storageClassName())
                ? Stream.empty()
                : storageClass(field, holder, volumeClaim.storage()))
        .toList();
  }

  /** Whether the desired volumes are larger than the deployed ones. */
  public static boolean isExpansion(GroupTemplate was, GroupTemplate desired) {
    return was.storage() != null
        && desired.storage() != null
        && bytes(desired.storage()).compareTo(bytes(was.storage())) > 0;
  }

  private static Stream<String> smaller(String field, String holder, Storage was, Storage desired) {
    return bytes(desired).compareTo(bytes(was)) < 0
        ? Stream.of(
            "%s.size: %s, but %s %s: a volume cannot shrink"
                .formatted(field, desired.size(), holder, was.size()))
        : Stream.empty();
  }

  /** A provisioned group uses the existing volume at its current size. */
  private static Stream<String> larger(
      String field, ExistingVolumeClaim volumeClaim, Storage desired) {
    return bytes(desired).compareTo(bytes(volumeClaim.storage())) > 0
        ? Stream.of(
            "%s.size: %s, but PersistentVolumeClaim %s, which still exists, has %s: add the group with %s and expand it afterwards"
                .formatted(
                    field,
                    desired.size(),
                    volumeClaim.name(),
                    volumeClaim.storage().size(),
                    volumeClaim.storage().size()))
        : Stream.empty();
  }

  private static Stream<String> storageClass(String field, String holder, Storage was) {
    return Stream.of(
        "%s.storageClassName: %s %s: a volume cannot move to another class"
            .formatted(
                field, holder, was.storageClassName() == null ? "none" : was.storageClassName()));
  }

  private static BigDecimal bytes(Storage storage) {
    return Quantity.parse(storage.size()).getNumericalAmount();
  }
}
