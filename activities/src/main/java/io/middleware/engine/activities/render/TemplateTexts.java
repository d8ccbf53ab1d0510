package io.middleware.engine.activities.render;

import io.middleware.engine.api.ConfigMapKey;

/** Where templates that are kept as text come from. */
@FunctionalInterface
public interface TemplateTexts {

  /**
   * The text as it is now.
   *
   * @throws RuntimeException saying what could not be read, and why
   */
  String read(ConfigMapKey source);
}
