package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.Backup;
import io.middleware.engine.api.BackupStatus;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.watcher.apiserver.ClusterCase;
import io.middleware.engine.watcher.apiserver.LiveReadsContract;
import io.middleware.engine.watcher.apiserver.StatusWritesContract;
import java.util.Optional;

class LiveBackupsIT extends ClusterCase<Backup>
    implements StatusWritesContract<Backup>, LiveReadsContract<Backup> {
  private final LiveBackups objects;

  LiveBackupsIT(LocalCluster cluster) {
    super(cluster);
    this.objects = new LiveBackups(cluster.client());
  }

  @Override
  public Backup create(String name) {
    return cluster.create(Backup.class, TestBackups.YAML.formatted(name));
  }

  @Override
  public String plural() {
    return "backups";
  }

  @Override
  public void write(Backup seen, String message) {
    objects.write(seen, BackupStatus.pending(message));
  }

  @Override
  public String message(Backup object) {
    return object.getStatus().message();
  }

  @Override
  public Optional<Backup> live(Backup seen) {
    return objects.live(seen);
  }
}
