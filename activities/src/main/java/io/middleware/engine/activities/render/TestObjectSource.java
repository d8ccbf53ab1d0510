package io.middleware.engine.activities.render;

import java.util.Map;
import java.util.Optional;

/** The objects that expressions of a test read, as they are now. */
@FunctionalInterface
public interface TestObjectSource {

  /**
   * Reads an object.
   *
   * @param apiVersion empty: that of the test's manifest of this kind
   * @throws UnreadableObjectException when there is none, or it cannot be read
   */
  Map<String, Object> object(Optional<String> apiVersion, String kind, String name)
      throws UnreadableObjectException;
}
