package io.middleware.engine.watcher;

import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds what looks after Backups and their schedules. */
final class BackupAssembly {
  /** A look at a schedule costs Temporal more than a look at a run. */
  private static final int RESYNCS_BETWEEN_LOOKS = 10;

  private final Map<String, InformerEventSource<Backup, App>> backups = new ConcurrentHashMap<>();
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
            scope -> {
              var source =
                  ServedNamespaces.source(
                      "backups", scope, () -> backups(context.getPrimaryCache()), context);
              backups.put(scope, source);
              return source;
            })
        .toList();
  }

  /** Whether there is a Backup of this namespace and name. */
  boolean exists(String namespace, String name) {
    return backups.get(served.scope(namespace)).get(new ResourceID(name, namespace)).isPresent();
  }

  private static InformerEventSourceConfiguration.Builder<Backup> backups(
      IndexerResourceCache<App> apps) {
    return InformerEventSourceConfiguration.from(Backup.class, App.class)
        .withItemStore(new LeanStore<>(BackupCacheTransform::reduce))
        .withOnUpdateFilter(BackupCacheTransform::differs)
        .withInformerListLimit(AppObserver.PAGE)
        .withSecondaryToPrimaryMapper(backup -> apps(backup, apps));
  }

  /** The App that it is a copy of, and those that begin with it. */
  private static Set<ResourceID> apps(Backup backup, IndexerResourceCache<App> apps) {
    var namespace = backup.getMetadata().getNamespace();
    var source =
        Stream.ofNullable(backup.getSpec()).map(spec -> new ResourceID(spec.app(), namespace));
    var restored = apps.list(namespace, app -> isFrom(app, backup)).map(ResourceID::fromResource);
    return Stream.concat(source, restored).collect(Collectors.toSet());
  }

  private static boolean isFrom(App app, Backup backup) {
    return app.getSpec() != null
        && app.getSpec().restoreFrom() != null
        && app.getSpec().restoreFrom().backup().equals(backup.getMetadata().getName());
  }
}
