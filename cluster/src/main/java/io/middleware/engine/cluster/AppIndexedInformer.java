package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * All objects of one kind, indexed by App; one informer for each namespace keeps them up to date.
 */
final class AppIndexedInformer<T extends HasMetadata> implements AutoCloseable {
  private static final String BY_APP = "app";

  private final List<SharedIndexInformer<T>> informers;

  /**
   * @param sources one for each namespace, or one for all
   * @param onChange called on every event, with the App that the object belongs to
   */
  AppIndexedInformer(Stream<? extends Informable<T>> sources, Consumer<AppKey> onChange) {
    this.informers = sources.map(source -> informer(source, onChange)).toList();
  }

  List<T> of(AppKey key) {
    var index = key.toString();
    return informers.size() == 1
        ? informers.getFirst().getIndexer().byIndex(BY_APP, index)
        : informers.stream()
            .flatMap(informer -> informer.getIndexer().byIndex(BY_APP, index).stream())
            .toList();
  }

  /** Completes when every existing object is in the index. */
  CompletableFuture<Void> start() {
    return CompletableFuture.allOf(
        informers.stream()
            .map(informer -> informer.start().toCompletableFuture())
            .toArray(CompletableFuture[]::new));
  }

  boolean isWatching() {
    return informers.stream().allMatch(SharedIndexInformer::isWatching);
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::close);
  }

  private static <T extends HasMetadata> SharedIndexInformer<T> informer(
      Informable<T> source, Consumer<AppKey> onChange) {
    return source
        .runnableInformer(0)
        .itemStore(new LeanStore<>())
        .addIndexers(
            Map.of(BY_APP, object -> AppKey.of(object).map(AppKey::toString).stream().toList()))
        .addEventHandler(new ChangeListener<>(onChange))
        .exceptionHandler((started, failure) -> true);
  }

  private static final class LeanStore<T extends HasMetadata> extends BasicItemStore<T> {
    LeanStore() {
      super(Cache::metaNamespaceKeyFunc);
    }

    @Override
    public T put(String key, T object) {
      LeanObjects.reduce(object);
      return super.put(key, object);
    }
  }

  private record ChangeListener<T extends HasMetadata>(Consumer<AppKey> onChange)
      implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      AppKey.of(object).ifPresent(onChange);
    }

    @Override
    public void onUpdate(T before, T after) {
      AppKey.of(after).ifPresent(onChange);
    }

    @Override
    public void onDelete(T object, boolean lastStateUnknown) {
      AppKey.of(object).ifPresent(onChange);
    }
  }
}
