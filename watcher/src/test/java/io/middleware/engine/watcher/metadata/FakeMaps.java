package io.middleware.engine.watcher.metadata;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.Labels;
import io.middleware.engine.watcher.cache.ConfigMapCacheTransform;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** ConfigMaps of one namespace whose writes are seen at once. */
final class FakeMaps implements PublishedMetadata, MetadataWriter {
  final AtomicInteger writes = new AtomicInteger();
  final AtomicInteger failures = new AtomicInteger();

  /** How many keys a ConfigMap has room for. */
  volatile int room = Integer.MAX_VALUE;

  volatile String refused = "";

  /** The key that has no room in the first ConfigMap. */
  volatile String grown = "";

  volatile boolean news;
  MetadataMirror mirror;

  private final Map<String, Map<String, String>> maps = new ConcurrentHashMap<>();

  /** Of all ConfigMaps. */
  Set<String> keys() {
    var keys = new HashSet<String>();
    maps.values().forEach(map -> keys.addAll(map.keySet()));
    return keys;
  }

  Set<String> keys(String map) {
    return data(map).keySet();
  }

  private Map<String, String> data(String map) {
    return maps.getOrDefault(map, Map.of());
  }

  @Override
  public Set<String> write(String namespace, String map, Map<String, Optional<String>> keys) {
    if (failures.getAndDecrement() > 0) {
      throw new KubernetesClientException("the API server is away");
    }
    writes.incrementAndGet();
    var data = new HashMap<>(data(map));
    var left = new HashSet<String>();
    keys.forEach(
        (key, text) -> {
          if (text.isEmpty()) {
            data.remove(key);
          } else if (hasNoRoom(map, data, key)) {
            left.add(key);
          } else {
            data.put(key, text.get());
          }
        });
    edit(map, data);
    return left;
  }

  private boolean hasNoRoom(String map, Map<String, String> data, String key) {
    return key.equals(refused)
        || (key.equals(grown) && map.equals(Labels.METADATA))
        || (!data.containsKey(key) && data.size() >= room);
  }

  /** Whoever writes it. */
  void edit(String map, Map<String, String> data) {
    var before = map(data(map));
    maps.put(map, data);
    news = mirror.isForeignChange(map(data), before);
  }

  @Override
  public Optional<String> digest(ResourceID app) {
    var there = maps(app);
    return there.size() > 1
        ? Optional.of("several")
        : there.stream()
            .map(map -> ConfigMapCacheTransform.digest(data(map).get(app.getName())))
            .findFirst();
  }

  @Override
  public List<String> maps(ResourceID app) {
    return MetadataMaps.NAMES.stream().filter(map -> data(map).containsKey(app.getName())).toList();
  }

  @Override
  public String lastMap(String namespace) {
    return MetadataMaps.NAMES.stream()
        .filter(maps::containsKey)
        .reduce((one, later) -> later)
        .orElse(MetadataMaps.NAMES.getFirst());
  }

  @Override
  public List<ResourceID> orphans() {
    return List.of();
  }

  private static ConfigMap map(Map<String, String> data) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("shop")
            .withLabels(Map.of())
            .endMetadata()
            .withData(data)
            .build();
    ConfigMapCacheTransform.reduce(map);
    return map;
  }
}
