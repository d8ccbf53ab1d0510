package io.middleware.engine.activities.render;

import java.util.Map;

/** Reads objects for expressions that call {@code object(kind, name)}. May be slow. */
@FunctionalInterface
public interface ObjectSource {
  /** For expressions of which nobody owns objects. */
  ObjectSource NONE =
      (kind, name) -> {
        throw new UnreadableObjectException("there are no objects to read here");
      };

  /** No expression reads them, whoever may read them. */
  String SECRET = "Secret";

  /**
   * The object as it is now, with its metadata, spec and status.
   *
   * @throws UnreadableObjectException saying why, when there is none or it may not be read
   */
  Map<String, Object> read(String kind, String name);

  /** The object is missing, or may not be read. */
  final class UnreadableObjectException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreadableObjectException(String message) {
      super(message, null, false, false);
    }
  }
}
