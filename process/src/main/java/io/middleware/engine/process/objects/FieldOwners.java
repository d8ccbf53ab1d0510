package io.middleware.engine.process.objects;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Who has written a field of an object, as the API server keeps it in the managed fields. */
public final class FieldOwners {
  private FieldOwners() {}

  /**
   * The entries of all that have written a field as it is now.
   *
   * @param path for example {@code status, change, outcome}
   */
  public static Stream<ManagedFieldsEntry> of(HasMetadata object, String... path) {
    return Stream.ofNullable(object.getMetadata().getManagedFields())
        .flatMap(entries -> entries.stream().filter(Objects::nonNull))
        .filter(entry -> has(entry, path));
  }

  private static boolean has(ManagedFieldsEntry entry, String... path) {
    Object fields =
        entry.getFieldsV1() == null ? null : entry.getFieldsV1().getAdditionalProperties();
    for (var name : path) {
      fields = fields instanceof Map<?, ?> inner ? inner.get("f:" + name) : null;
    }
    return fields != null;
  }
}
