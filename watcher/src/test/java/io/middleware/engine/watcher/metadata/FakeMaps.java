package io.middleware.engine.watcher.metadata;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.watcher.cache.ConfigMapCacheTransform;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** ConfigMaps whose writes are seen at once. */
final class FakeMaps implements PublishedMetadata, MetadataWriter {
  final AtomicInteger writes = new AtomicInteger();
  final AtomicInteger failures = new AtomicInteger();
  volatile String refused = "";
  volatile boolean news;
  MetadataMirror mirror;

  private final Map<String, Map<String, String>> maps = new ConcurrentHashMap<>();

  Set<String> keys(String namespace) {
    return maps.getOrDefault(namespace, Map.of()).keySet();
  }

  @Override
  public Set<String> write(String namespace, Map<String, Optional<String>> keys) {
    if (failures.getAndDecrement() > 0) {
      throw new KubernetesClientException("the API server is away");
    }
    writes.incrementAndGet();
    var data = new HashMap<>(maps.getOrDefault(namespace, Map.of()));
    keys.forEach(
        (key, text) -> {
          if (!key.equals(refused)) {
            text.ifPresentOrElse(value -> data.put(key, value), () -> data.remove(key));
          }
        });
    edit(namespace, data);
    return keys.containsKey(refused) ? Set.of(refused) : Set.of();
  }

  /** Whoever writes it. */
  void edit(String namespace, Map<String, String> data) {
    var before = map(namespace, maps.getOrDefault(namespace, Map.of()));
    maps.put(namespace, data);
    news = mirror.isForeignChange(map(namespace, data), before);
  }

  @Override
  public Optional<String> digest(ResourceID app) {
    return Optional.ofNullable(
            maps.getOrDefault(app.getNamespace().orElseThrow(), Map.of()).get(app.getName()))
        .map(ConfigMapCacheTransform::digest);
  }

  @Override
  public List<ResourceID> orphans() {
    return List.of();
  }

  private static ConfigMap map(String namespace, Map<String, String> data) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withLabels(Map.of())
            .endMetadata()
            .withData(data)
            .build();
    ConfigMapCacheTransform.reduce(map);
    return map;
  }
}
