package io.middleware.engine.activities.render;

import java.util.Map;
import java.util.Optional;

/** Reads objects for expressions that call {@code object}. May be slow. */
@FunctionalInterface
public interface ObjectSource {
  /** For expressions of which nobody owns objects. */
  ObjectSource NONE =
      (apiVersion, kind, name) -> {
        throw new UnreadableObjectException("there are no objects to read here");
      };

  /** No expression reads them, whoever may read them. */
  String SECRET = "Secret";

  /**
   * The object as it is now, with its metadata, spec and status.
   *
   * @param apiVersion empty: the source knows that of the kind
   * @throws UnreadableObjectException saying why, when there is none or it may not be read
   */
  Map<String, Object> object(Optional<String> apiVersion, String kind, String name);
}
