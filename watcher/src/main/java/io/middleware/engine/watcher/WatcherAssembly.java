package io.middleware.engine.watcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.GracefulShutdown;
import io.middleware.engine.process.agents.TlsSecrets;
import io.middleware.engine.watcher.metadata.KubernetesMetadataWriter;
import io.middleware.engine.watcher.metadata.MetadataInformer;
import io.middleware.engine.watcher.metadata.MetadataMirror;
import io.middleware.engine.watcher.roles.GrpcRoleClient;
import io.middleware.engine.watcher.roles.PluginEndpoints;
import io.middleware.engine.watcher.roles.RoleTracker;
import java.time.Duration;
import java.util.List;

/** What the watcher has to do with beside Apps and their parts: agents and ConfigMaps. */
final class WatcherAssembly {
  private static final Duration LONGEST_QUESTION = Duration.ofMillis(1500);

  private final RoleTracker roles;
  private final MetadataMirror metadata;
  private final AppObserver sight;

  WatcherAssembly(
      EngineSettings settings,
      KubernetesClient client,
      MeterRegistry registry,
      GracefulShutdown stop) {
    var news = new AppEvents();
    var plugins = new PluginEndpoints(settings.systemNamespace());
    var secrets = TlsSecrets.in(client, settings.systemNamespace());
    var maps = new MetadataInformer();
    var writer = new KubernetesMetadataWriter(client, AppReconciler.FIELD_MANAGER, registry);
    roles =
        stop.opened(
            "roles", new RoleTracker(question(settings, secrets, registry), plugins, news::tell));
    metadata =
        stop.opened("metadata", new MetadataMirror(maps, writer, MetadataMirror.Gathering.DEFAULT));
    sight =
        new AppObserver(
            roles,
            List.of(plugins::source, context -> maps.source(context, metadata), context -> news));
    news.whenGone(roles::forget);
    news.whenGone(metadata::forget);
  }

  AppObserver sight() {
    return sight;
  }

  MetadataMirror metadata() {
    return metadata;
  }

  /** Once all has been read. */
  void start() {
    roles.start();
    metadata.start();
  }

  private static GrpcRoleClient question(
      EngineSettings settings, TlsSecrets secrets, MeterRegistry registry) {
    var agent = settings.agent();
    var deadline =
        agent.timeout().compareTo(LONGEST_QUESTION) < 0 ? agent.timeout() : LONGEST_QUESTION;
    return new GrpcRoleClient(
        new GrpcRoleClient.Limits(deadline, agent.maxReplyBytes()), secrets, registry);
  }
}
