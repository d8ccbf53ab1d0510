package io.middleware.engine.watcher.health;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Stream;

/** Keeps the health in the status of an App, its Components and its Groups up to date. */
public final class HealthMirror {
  private final StatusWriter writer;
  private final WriteDelays delays;
  private final WritePacing pacing;
  private final String cluster;
  private final InstantSource clock;

  /**
   * @param cluster its name; may be empty
   */
  public HealthMirror(
      StatusWriter writer, WriteDelays delays, String cluster, InstantSource clock) {
    this.writer = writer;
    this.delays = delays;
    this.pacing = new WritePacing(delays.gap());
    this.cluster = cluster;
    this.clock = clock;
  }

  /**
   * Writes the updates that are due: Groups first, the App last.
   *
   * @return when to reconcile again if nothing happens before, as an update is still delayed, or a
   *     backup may become overdue
   */
  public Optional<Duration> mirror(AppObservation observed) {
    var delayed =
        StatusUpdate.of(observed, cluster, clock.instant()).stream().map(this::mirror).toList();
    var backups = new BackupHealth(cluster, observed.app(), observed.backups());
    return Stream.concat(delayed.stream(), Stream.of(backups.nextCheck(clock.instant())))
        .flatMap(Optional::stream)
        .min(Duration::compareTo);
  }

  private Optional<Duration> mirror(StatusUpdate update) {
    var now = clock.instant();
    if (update.isUpToDate()) {
      pacing.upToDate(update.key(), now);
      return Optional.empty();
    }
    var due = pacing.due(update.key(), update.delay(delays), now);
    if (due.isAfter(now)) {
      return Optional.of(Duration.between(now, due));
    }
    writer.write(update.next());
    pacing.written(update.key(), now);
    return Optional.empty();
  }
}
