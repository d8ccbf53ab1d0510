package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Reasons;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Keeps the health in the status of an App, its Components and its Groups up to date. */
public final class HealthMirror {
  private final StatusWriter writer;
  private final WriteDelays delays;
  private final WritePacing pacing;
  private final String cluster;
  private final VolumeWarnings volumes;
  private final InstantSource clock;
  private final HealthEvents events;

  /**
   * @param cluster its name; may be empty
   * @param events receive once for each volume at risk what is said about it, and what is said when
   *     a problem of an App's roles is written, and when it has ended
   */
  public HealthMirror(
      StatusWriter writer,
      WriteDelays delays,
      String cluster,
      HealthEvents events,
      InstantSource clock) {
    this.writer = writer;
    this.delays = delays;
    this.pacing = new WritePacing(delays.gap());
    this.cluster = cluster;
    this.volumes = new VolumeWarnings(events);
    this.clock = clock;
    this.events = events;
  }

  /**
   * Writes the updates that are due: Groups first, the App last.
   *
   * @return when to reconcile again if nothing happens before, as an update is still delayed, a
   *     backup may become overdue, an election take too long, or a volume be at risk
   */
  public Optional<Duration> mirror(AppObservation observed) {
    var delayed =
        StatusUpdate.of(observed, cluster, clock.instant()).stream()
            .map(update -> mirror(observed.app(), update))
            .toList();
    var backups = new BackupHealth(cluster, observed.app(), observed.backups());
    var elections = observed.roles().byGroup().values().stream().map(RoleState::untilProblem);
    volumes.warn(observed.volumes(), clock.instant());
    var checks =
        Stream.of(
            backups.nextCheck(clock.instant()), observed.volumes().nextCheck(clock.instant()));
    return Stream.of(delayed.stream(), checks, elections)
        .flatMap(times -> times)
        .flatMap(Optional::stream)
        .min(Duration::compareTo);
  }

  /** What to report of an App whose roles get a problem, another one, or none any more. */
  private Runnable report(App app, StatusUpdate update) {
    if (!(update.next() instanceof App next)) {
      return () -> {};
    }
    var before = RoleProblem.in(app.getStatus() == null ? null : app.getStatus().conditions());
    var after = RoleProblem.in(next.getStatus().conditions());
    return reasons(before).equals(reasons(after))
        ? () -> {}
        : () -> report(app, after.stream().findFirst());
  }

  /** One event when a problem begins, and one when it ends. */
  private void report(App app, Optional<Condition> roleProblem) {
    events.record(
        app,
        "roles." + Long.toHexString(clock.instant().toEpochMilli()),
        roleProblem.isPresent(),
        roleProblem.map(Condition::getReason).orElse(Reasons.ROLES_CONSISTENT),
        roleProblem
            .map(Condition::getMessage)
            .orElse("each group that has a primary has exactly one again"));
  }

  private static List<String> reasons(List<Condition> conditions) {
    return conditions.stream().map(Condition::getReason).toList();
  }

  private Optional<Duration> mirror(App app, StatusUpdate update) {
    var now = clock.instant();
    if (update.isUpToDate()) {
      pacing.upToDate(update.key(), now);
      return Optional.empty();
    }
    var due = pacing.due(update.key(), update.delay(delays), now);
    if (due.isAfter(now)) {
      return Optional.of(Duration.between(now, due));
    }
    var report = report(app, update);
    writer.write(update.next());
    report.run();
    pacing.written(update.key(), now);
    return Optional.empty();
  }
}
