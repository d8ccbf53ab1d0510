package io.middleware.engine.e2e;

import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/** A Backup, as a user makes it; of the App {@code cache}, unless another one is named. */
public record AppBackup(Shop shop, String name, String app) {
  private static final Duration A_SECOND = Duration.ofMillis(1100);

  public AppBackup(Shop shop, String name) {
    this(shop, name, "cache");
  }

  /** The App, which names the BackupStore of {@link LocalStore}, and goes with its volumes. */
  public static Yaml app(Shop shop) {
    return shop.file("plugins/redis/app-replication.yaml")
        .plus(
            "  deletionPolicy: Delete\n  backup: {schedule: \"@yearly\", store: %s}\n"
                .formatted(LocalStore.NAME));
  }

  /** All Backups of the shop, oldest first. */
  public static List<Backup> all(Shop shop) {
    return shop
        .client
        .resources(Backup.class)
        .inNamespace(shop.namespace)
        .list()
        .getItems()
        .stream()
        .sorted(Comparator.comparing(backup -> backup.getMetadata().getCreationTimestamp()))
        .toList();
  }

  /**
   * Has the schedule of the App {@code cache} take a backup.
   *
   * @param earlier name of the newest one before; empty if there is none
   * @return its name
   */
  public static String awaitScheduled(Shop shop, String earlier) {
    var id = "backup/%s/cache".formatted(shop.namespace);
    await("schedule")
        .atMost(Shop.PATIENCE)
        .pollDelay(A_SECOND) // the name of a Backup has the second of its time
        .ignoreExceptions()
        .until(
            () ->
                !Engine.run(List.of("temporal", "schedule", "trigger", "--schedule-id", id))
                    .isEmpty());
    await("scheduled backup")
        .atMost(Shop.PATIENCE)
        .until(() -> all(shop).stream().anyMatch(it -> it.hasSucceeded() && !isNamed(it, earlier)));
    return all(shop).getLast().getMetadata().getName();
  }

  private static boolean isNamed(Backup backup, String name) {
    return name.equals(backup.getMetadata().getName());
  }

  /** {@code kubectl delete} of all Backups; returns when they are gone. */
  public static void deleteAll(Shop shop) {
    shop.client.resources(Backup.class).inNamespace(shop.namespace).delete();
    await("Backups gone").atMost(Shop.PATIENCE).until(() -> all(shop).isEmpty());
  }

  /** {@code kubectl apply} of the Backup. */
  public AppBackup apply() {
    return apply("");
  }

  /**
   * {@code kubectl apply} of the Backup.
   *
   * @param fields more of its spec, such as {@code , timeout: 10s}
   */
  public AppBackup apply(String fields) {
    shop.apply(yaml(fields));
    return this;
  }

  /** Asks for its end. */
  public void cancel() {
    shop.apply(yaml(", cancel: true"));
  }

  private Yaml yaml(String fields) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: Backup
        metadata: {name: %s, namespace: %s}
        spec: {app: %s%s}
        """
            .formatted(name, shop.namespace, app, fields));
  }

  public void delete() {
    shop.kubectl("", "delete", "mwbackup", name, "-n", shop.namespace, "--timeout=4m");
  }

  /** Null until there is one. */
  public BackupStatus status() {
    return Optional.ofNullable(
            shop.client.resources(Backup.class).inNamespace(shop.namespace).withName(name).get())
        .map(Backup::getStatus)
        .orElse(null);
  }

  /** Waits until it has ended, and is this. */
  public BackupStatus ends(String phase) {
    return awaits(
        status -> {
          if (status.completedAt() != null && !phase.equals(status.phase())) {
            throw new AssertionError(status.phase() + ": " + status.message());
          }
          return status.completedAt() != null;
        });
  }

  public BackupStatus awaits(Predicate<BackupStatus> wanted) {
    var last = new BackupStatus[1];
    try {
      await("Backup " + name)
          .atMost(Shop.PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                last[0] = status();
                return last[0] != null && wanted.test(last[0]);
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("Backup %s is not as expected: %s".formatted(name, last[0]), e);
    }
    return last[0];
  }
}
