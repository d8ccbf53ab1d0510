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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Watches the metadata ConfigMaps of all namespaces, and no other ConfigMaps. */
public final class MetadataInformer implements PublishedMetadata {
  private volatile InformerEventSource<ConfigMap, App> maps;
  private volatile IndexerResourceCache<App> apps;

  /**
   * The event source. It triggers reconciliation of Apps when another client has written or deleted
   * the ConfigMap.
   */
  public EventSource<?, App> source(EventSourceContext<App> context, MetadataMirror mirror) {
    var configuration =
        InformerEventSourceConfiguration.from(ConfigMap.class, App.class)
            .withFieldSelector(
                new FieldSelectorBuilder().withField("metadata.name", Labels.METADATA).build())
            .withItemStore(new LeanStore<ConfigMap>(ConfigMapCacheTransform::reduce))
            .withSecondaryToPrimaryMapper(MetadataInformer::apps)
            .withOnAddFilter(now -> mirror.isForeignChange(now, new ConfigMap()))
            .withOnUpdateFilter(mirror::isForeignChange)
            .build();
    apps = context.getPrimaryCache();
    maps = new InformerEventSource<>(configuration, context);
    return maps;
  }

  @Override
  public Optional<String> digest(ResourceID app) {
    return maps.get(new ResourceID(Labels.METADATA, app.getNamespace().orElseThrow()))
        .map(map -> map.getData().get(app.getName()));
  }

  @Override
  public List<ResourceID> orphans() {
    return maps.list(map -> true)
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
