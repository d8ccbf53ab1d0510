package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.watcher.request.LiveRequestsContract;

class LiveBackupsIT extends LiveRequestsContract<Backup, BackupStatus> {
  LiveBackupsIT(LocalCluster cluster) {
    super(cluster, new BackupKind(new BackupWorkflowIds(""), null), SampleBackups.YAML);
  }

  @Override
  public String message(Backup object) {
    return object.getStatus().message();
  }
}
