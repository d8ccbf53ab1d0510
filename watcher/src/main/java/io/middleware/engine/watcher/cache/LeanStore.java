package io.middleware.engine.watcher.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.function.Consumer;

/**
 * Keeps of each object only what is read of it; the object itself is cut down, there is no copy.
 */
public final class LeanStore<R extends HasMetadata> extends BasicItemStore<R> {
  private final Consumer<R> cut;

  public LeanStore(Consumer<R> cut) {
    super(Cache::metaNamespaceKeyFunc);
    this.cut = cut;
  }

  @Override
  public R put(String key, R object) {
    cut.accept(object);
    return super.put(key, object);
  }
}
