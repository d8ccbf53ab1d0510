package io.middleware.engine.watcher.roles;

import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.middleware.engine.api.AgentSettings;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Plugin;
import io.middleware.engine.api.PluginRef;
import io.middleware.engine.watcher.cache.LeanStore;
import io.middleware.engine.watcher.cache.PluginCut;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Where the agents in the pods of each Plugin listen, as the Plugins say at present. */
public final class PluginPorts implements Ports {
  private final String systemNamespace;
  private volatile InformerEventSource<Plugin, App> plugins;

  public PluginPorts(String systemNamespace) {
    this.systemNamespace = systemNamespace;
  }

  /** What it reads. An edit of a Plugin is no reason to look at Apps. */
  public EventSource<?, App> source(EventSourceContext<App> context) {
    var configuration =
        InformerEventSourceConfiguration.from(Plugin.class, App.class)
            .withNamespaces(Set.of(systemNamespace))
            .withItemStore(new LeanStore<Plugin>(PluginCut::cut))
            .withSecondaryToPrimaryMapper(plugin -> Set.of())
            .build();
    plugins = new InformerEventSource<>(configuration, context);
    return plugins;
  }

  @Override
  public OptionalInt of(PluginRef plugin) {
    var name = Labels.pluginName(plugin.name(), plugin.version());
    return plugins
        .get(new ResourceID(name, systemNamespace))
        .flatMap(found -> Optional.ofNullable(found.getSpec()))
        .flatMap(spec -> Optional.ofNullable(spec.agent()))
        .filter(agent -> agent.tls() == null)
        .map(AgentSettings::port)
        .map(OptionalInt::of)
        .orElseGet(OptionalInt::empty);
  }
}
