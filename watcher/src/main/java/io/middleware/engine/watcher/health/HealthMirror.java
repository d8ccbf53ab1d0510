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
  private static final List<ReportedProblem> REPORTED =
      List.of(
          new ReportedProblem(
              "roles",
              Reasons.ROLES_INCONSISTENT,
              Reasons.ROLES_CONSISTENT,
              "each group that has a primary has exactly one again"),
          new ReportedProblem(
              "objects",
              Reasons.OBJECTS_DRIFTED,
              Reasons.OBJECTS_AS_WRITTEN,
              "all objects are as the engine has written them again"),
          new ReportedProblem(
              "dependencies",
              Reasons.DEPENDENCIES_MISSING,
              Reasons.DEPENDENCIES_EXIST,
              "all that the App uses exists again"),
          new ReportedProblem(
              "endpoints",
              Reasons.ENDPOINTS_OUTDATED,
              Reasons.ENDPOINTS_UP_TO_DATE,
              "the Services for applications follow the roles again"));

  private final StatusWriter writer;
  private final WriteDelays delays;
  private final WritePacing pacing;
  private final String cluster;
  private final VolumeWarnings volumes;
  private final InstantSource clock;
  private final HealthEvents events;

  /**
   * A problem that has events.
   *
   * @param subject begins the names of its events
   * @param type of its condition
   * @param end reason of the event when it has ended
   */
  private record ReportedProblem(String subject, String type, String end, String endMessage) {}

  /**
   * @param cluster its name; may be empty
   * @param events receive once for each volume at risk what is said about it, and what is said when
   *     a problem of an App is written, and when it has ended
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

  /** What to report of an App that gets a problem, another one, or has one no more. */
  private Runnable report(App app, StatusUpdate update) {
    if (!(update.next() instanceof App next)) {
      return () -> {};
    }
    var before = app.getStatus() == null ? null : app.getStatus().conditions();
    var after = next.getStatus().conditions();
    var reports = REPORTED.stream().flatMap(it -> report(app, it, before, after).stream()).toList();
    return () -> reports.forEach(Runnable::run);
  }

  /** One event when a problem begins, and one when it ends. */
  private Optional<Runnable> report(
      App app, ReportedProblem kind, List<Condition> before, List<Condition> after) {
    var now = HealthProblem.in(kind.type(), after);
    if (reasons(HealthProblem.in(kind.type(), before)).equals(reasons(now))) {
      return Optional.empty();
    }
    var problem = now.stream().findFirst();
    return Optional.of(
        () ->
            events.record(
                app,
                kind.subject() + "." + Long.toHexString(clock.instant().toEpochMilli()),
                problem.isPresent(),
                problem.map(Condition::getReason).orElse(kind.end()),
                problem.map(Condition::getMessage).orElse(kind.endMessage())));
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
