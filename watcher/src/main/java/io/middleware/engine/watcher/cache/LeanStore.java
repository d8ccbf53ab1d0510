package io.middleware.engine.watcher.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.function.Consumer;

/** A cache that reduces each object, in place, to the fields that the watcher reads. */
public final class LeanStore<R extends HasMetadata> extends BasicItemStore<R> {
  private final Consumer<R> transform;

  public LeanStore(Consumer<R> transform) {
    super(Cache::metaNamespaceKeyFunc);
    this.transform = transform;
  }

  @Override
  public R put(String key, R object) {
    transform.accept(object);
    return super.put(key, object);
  }
}
