package io.middleware.engine.watcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.OrderlyStop;
import io.middleware.engine.process.agents.TlsSecrets;
import io.middleware.engine.watcher.metadata.KubernetesMetadataWriter;
import io.middleware.engine.watcher.metadata.MetadataInformer;
import io.middleware.engine.watcher.metadata.MetadataMirror;
import io.middleware.engine.watcher.roles.GrpcRoleQuestion;
import io.middleware.engine.watcher.roles.PluginEndpoints;
import io.middleware.engine.watcher.roles.Roles;
import java.time.Duration;
import java.util.List;

/** What the watcher has to do with beside Apps and their parts: agents and ConfigMaps. */
final class Surroundings {
  private static final Duration LONGEST_QUESTION = Duration.ofMillis(1500);

  private final Roles roles;
  private final MetadataMirror metadata;
  private final Sight sight;

  Surroundings(
      EngineSettings settings, KubernetesClient client, MeterRegistry registry, OrderlyStop stop) {
    var news = new AppNews();
    var plugins = new PluginEndpoints(settings.systemNamespace());
    var secrets = TlsSecrets.in(client, settings.systemNamespace());
    var maps = new MetadataInformer();
    var writer = new KubernetesMetadataWriter(client, AppReconciler.FIELD_MANAGER, registry);
    roles =
        stop.opened("roles", new Roles(question(settings, secrets, registry), plugins, news::tell));
    metadata =
        stop.opened("metadata", new MetadataMirror(maps, writer, MetadataMirror.Gathering.DEFAULT));
    sight =
        new Sight(
            roles,
            List.of(plugins::source, context -> maps.source(context, metadata), context -> news));
    news.whenGone(roles::forget);
    news.whenGone(metadata::forget);
  }

  Sight sight() {
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

  private static GrpcRoleQuestion question(
      EngineSettings settings, TlsSecrets secrets, MeterRegistry registry) {
    var agent = settings.agent();
    var deadline =
        agent.timeout().compareTo(LONGEST_QUESTION) < 0 ? agent.timeout() : LONGEST_QUESTION;
    return new GrpcRoleQuestion(
        new GrpcRoleQuestion.Limits(deadline, agent.maxReplyBytes()), secrets, registry);
  }
}
