package io.middleware.engine.activities.backup;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.FinalizerRemoval;
import io.middleware.engine.api.Backup;
import io.middleware.engine.api.BackupStatus;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.BackupRef;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** The Backups on the API server. */
final class Backups {
  /** Many, as the groups of a Backup write to it at the same time. */
  private static final int TRIES = 30;

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

  private final KubernetesClient client;

  /**
   * @param client with the engine's own rights
   */
  Backups(KubernetesClient client) {
    this.client = client;
  }

  /** The Backup of this name as it is now, whichever run carries it out; empty when it is gone. */
  Optional<Backup> find(BackupRef ref) {
    return find(ref.namespace(), ref.name());
  }

  Optional<Backup> find(String namespace, String name) {
    return Optional.ofNullable(
        Faults.attempt(
            "read Backup %s/%s".formatted(namespace, name),
            () -> client.resources(Backup.class).inNamespace(namespace).withName(name).get()));
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
    return Faults.attempt(
            "list the Backups of App %s/%s".formatted(namespace, app),
            () ->
                client
                    .resources(Backup.class)
                    .inNamespace(namespace)
                    .withLabel(Labels.APP, app)
                    .list()
                    .getItems())
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
    for (var i = 0; i < TRIES; i++) {
      var found = find(ref);
      var status = found.flatMap(next);
      if (status.isEmpty()) {
        return Optional.empty();
      }
      var written = written(found.get(), status.get());
      if (written.isPresent()) {
        return written;
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE.toNanos()));
    }
    throw Faults.of(
        FaultKind.UNAVAILABLE,
        "%s is changing too often for its status to be written; retrying".formatted(ref));
  }

  /** Writes the message of a Backup that this run carries out; not after a write conflict. */
  void tryToSay(BackupRef ref, String message) {
    findOfRun(ref)
        .filter(backup -> !backup.hasEnded())
        .ifPresent(backup -> written(backup, backup.getStatus().saying(message)));
  }

  /** Empty after a write conflict. */
  private Optional<Backup> written(Backup found, BackupStatus status) {
    if (status.equals(found.getStatus())) {
      return Optional.of(found);
    }
    var next = new Backup();
    next.setMetadata(found.getMetadata());
    next.setSpec(found.getSpec());
    next.setStatus(status);
    try {
      return Optional.of(client.resource(next).updateStatus());
    } catch (KubernetesClientException e) {
      if (Faults.isStaleWrite(e) || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw Faults.of("write the status of Backup " + name(found), e);
    }
  }

  /** Deletes the Backup as it was read; one that has changed since stays. */
  void delete(Backup backup) {
    try {
      client.resource(backup).lockResourceVersion().delete();
    } catch (KubernetesClientException e) {
      if (!Faults.isStaleWrite(e)) {
        throw Faults.of("delete Backup " + name(backup), e);
      }
    }
  }

  /** Lets a Backup go that is being deleted. */
  void release(Backup backup) {
    new FinalizerRemoval(client).remove(backup, Labels.BACKUP);
  }

  private static String name(Backup backup) {
    return backup.getMetadata().getNamespace() + "/" + backup.getMetadata().getName();
  }
}
