package io.middleware.engine.watcher.cache;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the most recently used entries, so that entries of deleted objects do not stay for ever.
 * Only for entries that may be lost at any time: a lost entry costs a call, never correctness.
 */
public final class LruCache<K, V> {
  private static final int LIMIT = 20_000;

  private final Map<K, V> entries =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
          return size() > LIMIT;
        }
      };

  public synchronized Optional<V> get(K key) {
    return Optional.ofNullable(entries.get(key));
  }

  public synchronized void put(K key, V value) {
    entries.put(key, value);
  }

  public synchronized void remove(K key) {
    entries.remove(key);
  }
}
