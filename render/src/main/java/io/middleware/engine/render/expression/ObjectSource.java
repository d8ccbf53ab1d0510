package io.middleware.engine.render.expression;

import java.util.Map;
import java.util.Optional;

/** Reads objects for expressions that call {@code object}. May be slow. */
@FunctionalInterface
public interface ObjectSource {
  /** For expressions that may read no objects. */
  ObjectSource NONE =
      (apiVersion, kind, name) -> {
        throw new UnreadableObjectException("there are no objects to read here");
      };

  /** No expression may read Secrets, whatever the rights of the account. */
  String SECRET = "Secret";

  /**
   * The object as it is now, with its metadata, spec and status.
   *
   * @param apiVersion empty: the source knows that of the kind
   * @throws UnreadableObjectException saying why, when there is none or it may not be read
   */
  Map<String, Object> object(Optional<String> apiVersion, String kind, String name);
}
