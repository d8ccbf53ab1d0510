package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Writes statuses. */
public interface StatusWriter {

  /**
   * Writes the health fields of the status and leaves all others unchanged; does nothing when the
   * object is gone.
   *
   * @param bare name, namespace and status only
   */
  void write(HasMetadata bare);
}
