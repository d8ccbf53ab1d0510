package io.middleware.engine.watcher.roles;

import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Plugin;
import io.middleware.engine.api.PluginRef;
import io.middleware.engine.watcher.cache.LeanStore;
import io.middleware.engine.watcher.cache.PluginCacheTransform;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The endpoints of the agents of each Plugin, as the Plugin's spec declares them. */
public final class PluginEndpoints implements AgentEndpoints {
  private final String systemNamespace;
  private volatile InformerEventSource<Plugin, App> plugins;

  public PluginEndpoints(String systemNamespace) {
    this.systemNamespace = systemNamespace;
  }

  /**
   * The event source of Plugins.
   *
   * @param affected whether an App whose Plugin has come or changed is to be reconciled
   */
  public EventSource<?, App> source(EventSourceContext<App> context, Predicate<App> affected) {
    var configuration =
        InformerEventSourceConfiguration.from(Plugin.class, App.class)
            .withNamespaces(Set.of(systemNamespace))
            .withItemStore(new LeanStore<Plugin>(PluginCacheTransform::reduce))
            .withSecondaryToPrimaryMapper(
                plugin ->
                    context
                        .getPrimaryCache()
                        .list(app -> uses(app, plugin))
                        .filter(affected)
                        .map(ResourceID::fromResource)
                        .collect(Collectors.toSet()))
            .withOnUpdateFilter(PluginEndpoints::differs)
            .build();
    plugins = new InformerEventSource<>(configuration, context);
    return plugins;
  }

  private static boolean uses(App app, Plugin plugin) {
    var ref = app.getSpec() == null ? null : app.getSpec().plugin();
    return ref != null
        && Labels.pluginName(ref.name(), ref.version()).equals(plugin.getMetadata().getName());
  }

  private static boolean differs(Plugin now, Plugin before) {
    return !now.getMetadata().getGeneration().equals(before.getMetadata().getGeneration());
  }

  @Override
  public AgentEndpoint of(PluginRef plugin) {
    var name = Labels.pluginName(plugin.name(), plugin.version());
    return plugins
        .get(new ResourceID(name, systemNamespace))
        .flatMap(found -> Optional.ofNullable(found.getSpec()))
        .flatMap(spec -> Optional.ofNullable(spec.agent()))
        .filter(agent -> agent.port() != null)
        .map(
            agent ->
                new AgentEndpoint(
                    agent.port(), agent.tls() == null ? "" : agent.tls().secretName()))
        .orElse(AgentEndpoint.NONE);
  }
}
