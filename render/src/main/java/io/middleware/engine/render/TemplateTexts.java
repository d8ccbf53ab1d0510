package io.middleware.engine.render;

import io.middleware.engine.api.plugin.ConfigMapKey;

/** Reads templates that are kept as text. */
@FunctionalInterface
public interface TemplateTexts {
  /** Between the name of a ConfigMap and the revision of which its text is; in no such name. */
  String OF_REVISION = "@";

  /**
   * Reads the current text.
   *
   * @throws RuntimeException that names the unreadable source and the reason
   */
  String read(ConfigMapKey source);
}
