package io.middleware.engine.watcher.backup;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.Backup;
import io.middleware.engine.api.BackupStatus;
import java.net.HttpURLConnection;
import java.util.Optional;

/** Backups on the API server. */
public final class LiveBackups implements BackupObjects {
  private final KubernetesClient client;

  public LiveBackups(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Optional<Backup> live(Backup seen) {
    var meta = seen.getMetadata();
    return Optional.ofNullable(
            client
                .resources(Backup.class)
                .inNamespace(meta.getNamespace())
                .withName(meta.getName())
                .get())
        .filter(now -> now.getMetadata().getUid().equals(meta.getUid()));
  }

  @Override
  public void write(Backup live, BackupStatus status) {
    live.setStatus(status);
    try {
      client.resource(live).updateStatus();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }
}
