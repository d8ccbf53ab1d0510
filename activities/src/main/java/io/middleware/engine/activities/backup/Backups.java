package io.middleware.engine.activities.backup;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupSpec;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.FinalizerRemoval;
import io.middleware.engine.cluster.StatusUpdates;
import io.middleware.engine.workflows.port.BackupRef;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The Backups on the API server. */
final class Backups {
  private final KubernetesClient client;
  private final StatusUpdates<BackupSpec, BackupStatus, Backup> statuses;

  /**
   * @param client with the engine's own rights
   */
  Backups(KubernetesClient client) {
    this.client = client;
    this.statuses = StatusUpdates.ofManyWriters(client, Backup.class, Backup::new);
  }

  /** The Backup of this name as it is now, whichever run carries it out; empty when it is gone. */
  Optional<Backup> find(BackupRef ref) {
    return find(ref.namespace(), ref.name());
  }

  Optional<Backup> find(String namespace, String name) {
    return statuses.find(namespace, name);
  }

  /** The same if this run has begun it; empty when it is another run's, or gone. */
  Optional<Backup> findOfRun(BackupRef ref) {
    return find(ref).filter(backup -> isOf(ref, backup));
  }

  private static boolean isOf(BackupRef ref, Backup backup) {
    return backup.getStatus() != null && ref.runId().equals(backup.getStatus().runId());
  }

  /** All Backups of the App of this name. */
  List<Backup> ofApp(String namespace, String app) {
    return Faults.list(
            "the Backups of App %s/%s".formatted(namespace, app),
            client.resources(Backup.class).inNamespace(namespace).withLabel(Labels.APP, app))
        .stream()
        .filter(backup -> backup.getSpec() != null && app.equals(backup.getSpec().app()))
        .toList();
  }

  /** Does nothing if there is one of this name. */
  void create(Backup backup) {
    try {
      client.resource(backup).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw Faults.of("create Backup " + name(backup), e);
      }
    }
  }

  /**
   * Writes the status that {@code next} makes of the Backup as it is now; again after a write
   * conflict.
   *
   * @param next writes nothing when its result is empty
   * @return the Backup as it was written; empty when it is gone, or nothing was written
   */
  Optional<Backup> write(BackupRef ref, Function<Backup, Optional<BackupStatus>> next) {
    return statuses.write(ref.namespace(), ref.name(), next);
  }

  /** Writes the message of a Backup that this run carries out; not after a write conflict. */
  void tryToSay(BackupRef ref, String message) {
    findOfRun(ref)
        .filter(backup -> !backup.hasEnded())
        .ifPresent(backup -> statuses.tryToWrite(backup, backup.getStatus().saying(message)));
  }

  /** Deletes the Backup as it was read; one that has changed since stays. */
  void delete(Backup backup) {
    Faults.unlessStale(
        "delete Backup " + name(backup),
        () -> client.resource(backup).lockResourceVersion().delete());
  }

  /** Lets a Backup go that is being deleted. */
  void release(Backup backup) {
    new FinalizerRemoval(client).remove(backup, Labels.BACKUP);
  }

  private static String name(Backup backup) {
    return backup.getMetadata().getNamespace() + "/" + backup.getMetadata().getName();
  }
}
