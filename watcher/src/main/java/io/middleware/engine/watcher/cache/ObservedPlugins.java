package io.middleware.engine.watcher.cache;

import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.PluginSpec;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The Plugins, as far as the watcher reads them. */
public final class ObservedPlugins {
  private final String systemNamespace;
  private volatile InformerEventSource<Plugin, App> plugins;

  public ObservedPlugins(String systemNamespace) {
    this.systemNamespace = systemNamespace;
  }

  /**
   * The event source of Plugins.
   *
   * @param changed is told of each App whose Plugin has come, changed or gone
   */
  public EventSource<?, App> source(EventSourceContext<App> context, Consumer<App> changed) {
    var configuration =
        InformerEventSourceConfiguration.from(Plugin.class, App.class)
            .withNamespaces(Set.of(systemNamespace))
            .withItemStore(new LeanStore<Plugin>(PluginCacheTransform::reduce))
            .withSecondaryToPrimaryMapper(
                plugin ->
                    context
                        .getPrimaryCache()
                        .list(app -> uses(app, plugin))
                        .peek(changed)
                        .map(ResourceID::fromResource)
                        .collect(Collectors.toSet()))
            .withOnUpdateFilter(ObservedPlugins::differs)
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

  /**
   * Whether the App's Plugin says that the action excludes nothing; empty while the Plugins have
   * not been read.
   */
  public Optional<Boolean> isShared(App app, String action) {
    var source = plugins;
    if (source == null || !source.isRunning()) {
      return Optional.empty();
    }
    return Optional.of(
        Optional.ofNullable(app.getSpec())
            .map(AppSpec::plugin)
            .flatMap(this::find)
            .filter(plugin -> plugin.isShared(action))
            .isPresent());
  }

  /** What {@link PluginCacheTransform} has left of the Plugin's spec; empty when there is none. */
  public Optional<PluginSpec> find(PluginRef plugin) {
    return find(Labels.pluginName(plugin.name(), plugin.version()));
  }

  /** The same by the name of the Plugin object. */
  public Optional<PluginSpec> find(String name) {
    return plugins
        .get(new ResourceID(name, systemNamespace))
        .flatMap(found -> Optional.ofNullable(found.getSpec()));
  }
}
