package io.middleware.engine.cluster.status;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.middleware.engine.api.task.PlainText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Fields that somebody else has written into a part of a status that is the engine's own. A
 * server-side apply takes over the fields that it names and leaves all others, so these have to be
 * removed.
 */
final class ForeignFields {
  private static final String STATUS = "status";

  private ForeignFields() {}

  /**
   * The merge patch that removes them; empty when there are none.
   *
   * @param shown the part as the API server has it after the engine's apply
   * @param own the part as the engine has applied it
   */
  static Map<String, Object> removal(Map<?, ?> shown, Map<?, ?> own) {
    Map<String, Object> removal = new LinkedHashMap<>();
    shown.forEach(
        (name, value) -> {
          var wanted = own.get(name);
          if (wanted == null) {
            removal.put(name.toString(), null);
          } else if (value instanceof Map<?, ?> inner && wanted instanceof Map<?, ?> other) {
            Optional.of(removal(inner, other))
                .filter(it -> !it.isEmpty())
                .ifPresent(it -> removal.put(name.toString(), it));
          }
        });
    return removal;
  }

  /** For example {@code status.change.outcome, status.change.completedAt}. */
  static String names(Map<?, ?> removal) {
    return names(STATUS, removal);
  }

  private static String names(String path, Map<?, ?> removal) {
    return removal.entrySet().stream()
        .map(
            field -> {
              var name = path + "." + field.getKey();
              return field.getValue() instanceof Map<?, ?> inner ? names(name, inner) : name;
            })
        .collect(joining(", "));
  }

  /** Who has written the status besides the engine, as the API server says. */
  static String writers(HasMetadata object) {
    return Objects.requireNonNullElse(
            object.getMetadata().getManagedFields(), List.<ManagedFieldsEntry>of())
        .stream()
        .filter(entry -> STATUS.equals(entry.getSubresource()))
        .map(ManagedFieldsEntry::getManager)
        .filter(manager -> !manager.startsWith("middleware-"))
        .distinct()
        .map(PlainText::clean)
        .collect(joining(", "));
  }
}
