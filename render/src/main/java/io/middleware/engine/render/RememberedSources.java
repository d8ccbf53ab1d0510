package io.middleware.engine.render;

import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStoreSpec;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Looks up each store and each backup once. */
final class RememberedSources implements BackupSources {
  private final BackupSources sources;
  private final Map<Name, Optional<BackupStoreSpec>> stores = new ConcurrentHashMap<>();
  private final Map<Name, Optional<BackupStoreSpec>> lastKnown = new ConcurrentHashMap<>();
  private final Map<Name, Optional<BackupStatus>> backups = new ConcurrentHashMap<>();

  private record Name(String namespace, String name) {}

  RememberedSources(BackupSources sources) {
    this.sources = sources;
  }

  @Override
  public Optional<BackupStoreSpec> store(String namespace, String name) {
    return stores.computeIfAbsent(
        new Name(namespace, name), it -> sources.store(it.namespace(), it.name()));
  }

  @Override
  public Optional<BackupStoreSpec> lastKnownStore(String namespace, String name) {
    return lastKnown.computeIfAbsent(
        new Name(namespace, name), it -> sources.lastKnownStore(it.namespace(), it.name()));
  }

  @Override
  public Optional<BackupStatus> backup(String namespace, String name) {
    return backups.computeIfAbsent(
        new Name(namespace, name), it -> sources.backup(it.namespace(), it.name()));
  }
}
