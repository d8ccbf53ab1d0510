package io.middleware.engine.activities.backup;

import io.middleware.engine.workflows.port.BackupActivities.NeededBackup;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Names the Backups that changes take before they upgrade their App. A change needs one good
 * Backup, however often it is tried. Each attempt has another name, as a Backup is taken once.
 */
final class NeededBackups {
  private final Backups backups;

  NeededBackups(Backups backups) {
    this.backups = backups;
  }

  NeededBackup of(ChangeRef change) {
    return backups.ofApp(change.namespace(), change.app()).stream()
        // an earlier App of the same name has had the same generations
        .filter(backup -> backup.isGoodFor(change.uid(), change.generation()))
        .findFirst()
        .map(backup -> new NeededBackup(backup.getMetadata().getName(), true))
        .orElseGet(() -> new NeededBackup(free(change), false));
  }

  private String free(ChangeRef change) {
    return names(change)
        .filter(name -> backups.find(change.namespace(), name).isEmpty())
        .findFirst()
        .orElseThrow();
  }

  /** {@code cache-before-g7}, {@code cache-before-g7-2} and so on. */
  private static Stream<String> names(ChangeRef change) {
    var first = "%s-before-g%d".formatted(change.app(), change.generation());
    return Stream.concat(
        Stream.of(first), IntStream.iterate(2, i -> i + 1).mapToObj(i -> first + "-" + i));
  }
}
