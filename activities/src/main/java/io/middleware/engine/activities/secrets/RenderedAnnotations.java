package io.middleware.engine.activities.secrets;

import io.middleware.engine.render.guard.RenderedObject;
import java.util.Map;
import java.util.Optional;

/** What the engine says of its own rendered objects. */
final class RenderedAnnotations {
  private RenderedAnnotations() {}

  static Optional<String> of(RenderedObject object, String name) {
    return object.tree().get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("annotations") instanceof Map<?, ?> annotations
            && annotations.get(name) instanceof String text
        ? Optional.of(text)
        : Optional.empty();
  }
}
