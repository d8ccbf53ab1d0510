package io.middleware.engine.activities.backup;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStore;
import io.middleware.engine.api.backup.BackupStoreSpec;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.WrittenStore;
import io.middleware.engine.render.BackupSources;
import java.util.Optional;

/** The BackupStores and Backups on the API server. */
public final class ClusterBackupSources implements BackupSources {
  private final KubernetesClient client;

  /**
   * @param client with the engine's own rights
   */
  public ClusterBackupSources(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Optional<BackupStoreSpec> store(String namespace, String name) {
    return Faults.read(
            "BackupStore " + namespace + "/" + name,
            client.resources(BackupStore.class).inNamespace(namespace).withName(name))
        .map(BackupStore::getSpec);
  }

  @Override
  public Optional<BackupStoreSpec> lastKnownStore(String namespace, String name) {
    return Faults.list(
            "the Groups of namespace " + namespace,
            client.resources(Group.class).inNamespace(namespace))
        .stream()
        .flatMap(group -> WrittenStore.of(group).stream())
        .filter(written -> name.equals(written.name()))
        .findFirst()
        .map(WrittenStore::spec);
  }

  @Override
  public Optional<BackupStatus> backup(String namespace, String name) {
    return Faults.read(
            "Backup " + namespace + "/" + name,
            client.resources(Backup.class).inNamespace(namespace).withName(name))
        .filter(Backup::hasSucceeded)
        .filter(ClusterBackupSources::hasItsOwnCopies)
        .map(Backup::getStatus);
  }

  private static boolean hasItsOwnCopies(Backup backup) {
    return backup.getStatus().all().allMatch(copy -> CopyKeys.isOf(backup, copy));
  }
}
