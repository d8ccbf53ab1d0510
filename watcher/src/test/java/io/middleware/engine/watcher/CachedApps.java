package io.middleware.engine.watcher;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.middleware.engine.api.App;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The Apps that the watcher has read. */
final class CachedApps implements IndexerResourceCache<App> {
  private final Map<ResourceID, App> apps = new LinkedHashMap<>();
  private final Map<String, Function<App, List<String>>> indexers = new HashMap<>();

  void put(App app) {
    apps.put(ResourceID.fromResource(app), app);
  }

  @Override
  public void addIndexers(Map<String, Function<App, List<String>>> more) {
    indexers.putAll(more);
  }

  @Override
  public List<App> byIndex(String index, String key) {
    return list(app -> indexers.get(index).apply(app).contains(key)).toList();
  }

  @Override
  public Optional<App> get(ResourceID id) {
    return Optional.ofNullable(apps.get(id));
  }

  @Override
  public Stream<ResourceID> keys() {
    return apps.keySet().stream();
  }

  @Override
  public Stream<App> list(Predicate<App> predicate) {
    return apps.values().stream().filter(predicate);
  }

  @Override
  public Stream<App> list(String namespace, Predicate<App> predicate) {
    return list(predicate).filter(app -> app.getMetadata().getNamespace().equals(namespace));
  }
}
