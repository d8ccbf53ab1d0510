package io.middleware.engine.cluster.secrets;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** When the content of a Secret or a ConfigMap was written last, by the API server's clock. */
public final class ContentTime {
  private ContentTime() {}

  /** Empty where nothing was written, or nobody has noted it. */
  public static Optional<Instant> of(HasMetadata object) {
    return object.getMetadata().getManagedFields().stream()
        .filter(ContentTime::isOfContent)
        .map(ManagedFieldsEntry::getTime)
        .filter(Objects::nonNull)
        .map(Instant::parse)
        .max(Instant::compareTo);
  }

  /** Others write only labels and annotations. */
  private static boolean isOfContent(ManagedFieldsEntry entry) {
    var fields =
        entry.getFieldsV1() == null ? Map.of() : entry.getFieldsV1().getAdditionalProperties();
    return fields.containsKey("f:data") || fields.containsKey("f:binaryData");
  }
}
