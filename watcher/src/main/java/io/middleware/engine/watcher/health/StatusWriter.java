package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Writes statuses. */
public interface StatusWriter {

  /**
   * Makes the status what is given, as far as health owns it, and leaves the rest alone; does
   * nothing when the object is gone.
   *
   * @param bare name, namespace and status only
   */
  void write(HasMetadata bare);
}
