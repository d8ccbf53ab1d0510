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

/** The endpoints of the agents of each Plugin, as the Plugin's spec declares them. */
public final class PluginEndpoints implements AgentEndpoints {
  private final String systemNamespace;
  private volatile InformerEventSource<Plugin, App> plugins;

  public PluginEndpoints(String systemNamespace) {
    this.systemNamespace = systemNamespace;
  }

  /** The event source of Plugins. An edit of a Plugin does not trigger reconciliation of Apps. */
  public EventSource<?, App> source(EventSourceContext<App> context) {
    var configuration =
        InformerEventSourceConfiguration.from(Plugin.class, App.class)
            .withNamespaces(Set.of(systemNamespace))
            .withItemStore(new LeanStore<Plugin>(PluginCacheTransform::reduce))
            .withSecondaryToPrimaryMapper(plugin -> Set.of())
            .build();
    plugins = new InformerEventSource<>(configuration, context);
    return plugins;
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
