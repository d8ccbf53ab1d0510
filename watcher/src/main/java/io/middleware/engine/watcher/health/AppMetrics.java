package io.middleware.engine.watcher.health;

import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.process.EngineMetric;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Counts the Apps, and looks for the oldest change, when metrics are scraped. */
public final class AppMetrics {
  private final InstantSource clock;
  private volatile Supplier<Stream<App>> apps = Stream::empty;

  public AppMetrics(MeterRegistry registry, InstantSource clock) {
    this.clock = clock;
    for (var phase : HealthPhase.values()) {
      EngineMetric.APPS.gauge(registry, this, it -> it.count(phase), phase.label());
    }
    EngineMetric.OLDEST_CHANGE.gauge(registry, this, AppMetrics::oldestChange);
    EngineMetric.BACKUPS_OVERDUE.gauge(registry, this, AppMetrics::overdueBackups);
    EngineMetric.ROLES_INCONSISTENT.gauge(registry, this, AppMetrics::inconsistentRoles);
    EngineMetric.ENDPOINTS_OUTDATED.gauge(registry, this, AppMetrics::outdatedEndpoints);
    EngineMetric.VOLUMES_AT_RISK.gauge(registry, this, AppMetrics::volumesAtRisk);
    EngineMetric.OLDEST_BACKUP.gauge(registry, this, AppMetrics::oldestBackup);
  }

  /** Counts these from now on; before, there are none. */
  public void observe(Supplier<Stream<App>> apps) {
    this.apps = apps;
  }

  private double count(HealthPhase phase) {
    return statuses().filter(status -> phase.label().equals(status.phase())).count();
  }

  private double oldestChange() {
    return apps.get()
        .filter(app -> !app.isPaused())
        .flatMap(app -> Stream.ofNullable(app.getStatus()))
        .filter(status -> status.plan() == null) // it is shown while it waits for approval
        .flatMap(status -> begun(status.change()).stream())
        .mapToDouble(this::age)
        .max()
        .orElse(0);
  }

  private double overdueBackups() {
    return apps.get().filter(BackupHealth::isOverdue).count();
  }

  private double inconsistentRoles() {
    return apps.get().filter(RoleProblem::isShown).count();
  }

  private double outdatedEndpoints() {
    return statuses()
        .filter(it -> !HealthProblem.in(Reasons.ENDPOINTS_OUTDATED, it.conditions()).isEmpty())
        .count();
  }

  private double volumesAtRisk() {
    return apps.get().filter(VolumeHealth::isAtRisk).count();
  }

  /** An App that is stopped has no new data. */
  private double oldestBackup() {
    return apps.get()
        .filter(app -> app.getSpec() != null && !app.getSpec().isStopped())
        .filter(app -> app.getSpec().backup() != null && app.getSpec().backup().isScheduled())
        .flatMap(app -> Stream.ofNullable(app.getStatus()))
        .flatMap(status -> Stream.ofNullable(status.backup()))
        .mapToDouble(last -> age(Instant.parse(last.startedAt())))
        .max()
        .orElse(0);
  }

  private double age(Instant since) {
    return Duration.between(since, clock.instant()).toMillis() / 1e3;
  }

  private Stream<AppStatus> statuses() {
    return apps.get().flatMap(app -> Stream.ofNullable(app.getStatus()));
  }

  private static Optional<Instant> begun(ChangeStatus change) {
    return Optional.ofNullable(change)
        .filter(it -> it.outcome() == null)
        .map(ChangeStatus::startedAt)
        .map(Instant::parse);
  }
}
