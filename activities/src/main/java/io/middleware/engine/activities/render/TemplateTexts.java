package io.middleware.engine.activities.render;

import io.middleware.engine.api.ConfigMapKey;

/** Reads templates that are kept as text. */
@FunctionalInterface
public interface TemplateTexts {

  /**
   * Reads the current text.
   *
   * @throws RuntimeException that names the unreadable source and the reason
   */
  String read(ConfigMapKey source);
}
