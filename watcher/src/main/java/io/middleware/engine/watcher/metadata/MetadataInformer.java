package io.middleware.engine.watcher.metadata;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.config.informer.FieldSelectorBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.watcher.cache.ConfigMapCacheTransform;
import io.middleware.engine.watcher.cache.LeanStore;
import io.middleware.engine.watcher.cache.ServedNamespaces;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Watches the metadata ConfigMaps of the served namespaces, and no other ConfigMaps. */
public final class MetadataInformer implements PublishedMetadata {
  private static final String SEVERAL = "several";

  private final Map<String, InformerEventSource<ConfigMap, App>> maps = new ConcurrentHashMap<>();
  private final ServedNamespaces served;
  private volatile IndexerResourceCache<App> apps;

  public MetadataInformer(ServedNamespaces served) {
    this.served = served;
  }

  /**
   * The event sources, one for each name. They trigger reconciliation of Apps when another client
   * has written or deleted a ConfigMap.
   */
  public List<EventSource<?, App>> sources(EventSourceContext<App> context, MetadataMirror mirror) {
    apps = context.getPrimaryCache();
    return MetadataMaps.NAMES.stream()
        .flatMap(
            name ->
                served
                    .scopes()
                    .<EventSource<?, App>>map(scope -> source(context, name, scope, mirror)))
        .toList();
  }

  private EventSource<?, App> source(
      EventSourceContext<App> context, String name, String scope, MetadataMirror mirror) {
    var source = ServedNamespaces.source(name, scope, () -> named(name, mirror), context);
    maps.put(key(name, scope), source);
    return source;
  }

  private static InformerEventSourceConfiguration.Builder<ConfigMap> named(
      String name, MetadataMirror mirror) {
    return InformerEventSourceConfiguration.from(ConfigMap.class, App.class)
        .withFieldSelector(new FieldSelectorBuilder().withField("metadata.name", name).build())
        .withItemStore(new LeanStore<ConfigMap>(ConfigMapCacheTransform::reduce))
        .withSecondaryToPrimaryMapper(MetadataInformer::apps)
        .withOnAddFilter(now -> mirror.isForeignChange(now, new ConfigMap()))
        .withOnUpdateFilter(mirror::isForeignChange);
  }

  private static String key(String name, String scope) {
    return name + "/" + scope;
  }

  @Override
  public Optional<String> digest(ResourceID app) {
    var maps = maps(app);
    return maps.size() > 1
        ? Optional.of(SEVERAL)
        : maps.stream()
            .flatMap(name -> map(app.getNamespace().orElseThrow(), name).stream())
            .map(map -> map.getData().get(app.getName()))
            .findFirst();
  }

  @Override
  public List<String> maps(ResourceID app) {
    return MetadataMaps.NAMES.stream()
        .filter(name -> isIn(app, map(app.getNamespace().orElseThrow(), name)))
        .toList();
  }

  private static boolean isIn(ResourceID app, Optional<ConfigMap> map) {
    return map.filter(it -> it.getData().containsKey(app.getName())).isPresent();
  }

  @Override
  public String lastMap(String namespace) {
    return MetadataMaps.NAMES.stream()
        .filter(name -> map(namespace, name).isPresent())
        .reduce((one, later) -> later)
        .orElse(Labels.METADATA);
  }

  private Optional<ConfigMap> map(String namespace, String name) {
    return maps.get(key(name, served.scope(namespace))).get(new ResourceID(name, namespace));
  }

  @Override
  public List<ResourceID> orphans() {
    return maps.values().stream()
        .flatMap(source -> source.list(map -> true))
        .flatMap(MetadataInformer::keys)
        .filter(app -> apps.get(app).isEmpty())
        .toList();
  }

  private static Set<ResourceID> apps(ConfigMap map) {
    return keys(map).collect(toSet());
  }

  private static Stream<ResourceID> keys(ConfigMap map) {
    return map.getData().keySet().stream()
        .map(app -> new ResourceID(app, map.getMetadata().getNamespace()));
  }
}
