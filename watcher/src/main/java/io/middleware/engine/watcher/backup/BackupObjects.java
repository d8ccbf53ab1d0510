package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.Backup;
import io.middleware.engine.api.BackupStatus;
import java.util.Optional;

/** Backups, as they are now. */
public interface BackupObjects {

  /** This Backup, not a later one of its name; empty when it is gone. */
  Optional<Backup> live(Backup seen);

  /**
   * Writes the status.
   *
   * @param live is changed; when the Backup has changed since it was read, nothing is written, as
   *     it is looked at again
   */
  void write(Backup live, BackupStatus status);
}
