package io.middleware.engine.watcher;

import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.GracefulShutdown;
import io.middleware.engine.watcher.cache.BackupCacheTransform;
import io.middleware.engine.watcher.cache.LeanStore;
import io.middleware.engine.watcher.cache.ServedNamespaces;
import io.middleware.engine.watcher.schedule.BackupScheduler;
import io.middleware.engine.watcher.schedule.TemporalBackupSchedules;
import io.middleware.engine.watcher.temporal.TemporalCalls;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** Builds what looks after Backups and their schedules. */
final class BackupAssembly {
  /** A look at a schedule costs Temporal more than a look at a run. */
  private static final int RESYNCS_BETWEEN_LOOKS = 10;

  private final ServedNamespaces served;
  private final BackupScheduler scheduler;

  /**
   * @param stop closes what this assembly opens
   */
  BackupAssembly(
      EngineSettings settings, TemporalCalls calls, InstantSource clock, GracefulShutdown stop) {
    this.served = new ServedNamespaces(settings.namespaces());
    this.scheduler =
        stop.opened(
            "schedules",
            new BackupScheduler(
                new TemporalBackupSchedules(calls, settings.cluster()),
                served,
                settings.watcher().resync().multipliedBy(RESYNCS_BETWEEN_LOOKS),
                clock));
  }

  BackupScheduler scheduler() {
    return scheduler;
  }

  /** The event sources that bring the Backups of each App. */
  List<EventSource<?, App>> sources(EventSourceContext<App> context) {
    scheduler.observe(app -> context.getPrimaryCache().get(app));
    return served
        .scopes()
        .<EventSource<?, App>>map(
            scope -> ServedNamespaces.source("backups", scope, BackupAssembly::backups, context))
        .toList();
  }

  private static InformerEventSourceConfiguration.Builder<Backup> backups() {
    return InformerEventSourceConfiguration.from(Backup.class, App.class)
        .withItemStore(new LeanStore<>(BackupCacheTransform::reduce))
        .withOnUpdateFilter(BackupCacheTransform::differs)
        .withInformerListLimit(AppObserver.PAGE)
        .withSecondaryToPrimaryMapper(BackupAssembly::app);
  }

  private static Set<ResourceID> app(Backup backup) {
    return backup.getSpec() == null
        ? Set.of()
        : Set.of(new ResourceID(backup.getSpec().app(), backup.getMetadata().getNamespace()));
  }
}
