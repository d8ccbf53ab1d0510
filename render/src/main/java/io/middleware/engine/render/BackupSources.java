package io.middleware.engine.render;

import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStoreSpec;
import java.util.Optional;

/** Where the backups of groups are kept, and what groups are restored from. */
public interface BackupSources {
  /** There are no stores and no backups. */
  BackupSources NONE =
      new BackupSources() {
        @Override
        public Optional<BackupStoreSpec> store(String namespace, String name) {
          return Optional.empty();
        }

        @Override
        public Optional<BackupStatus> backup(String namespace, String name) {
          return Optional.empty();
        }
      };

  /** The BackupStore of this name; empty when there is none. */
  Optional<BackupStoreSpec> store(String namespace, String name);

  /**
   * What the BackupStore of this name was when a group was written with it last, for one that has
   * been deleted since; empty when no group knows it.
   */
  default Optional<BackupStoreSpec> lastKnownStore(String namespace, String name) {
    return Optional.empty();
  }

  /**
   * The Backup of this name; empty when there is none that has succeeded, or its copies are not its
   * own.
   */
  Optional<BackupStatus> backup(String namespace, String name);
}
