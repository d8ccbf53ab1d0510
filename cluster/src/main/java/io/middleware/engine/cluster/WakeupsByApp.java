package io.middleware.engine.cluster;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The registered wakeups of each App. */
final class WakeupsByApp {
  private final Map<AppKey, Set<Wakeup>> registered = new ConcurrentHashMap<>();

  Wakeup register(AppKey key) {
    var self = new Wakeup[1];
    var wakeup = new Wakeup(() -> unregister(key, self[0]));
    self[0] = wakeup;
    registered.compute(
        key,
        (app, wakeups) -> {
          var all = wakeups == null ? ConcurrentHashMap.<Wakeup>newKeySet() : wakeups;
          all.add(wakeup);
          return all;
        });
    return wakeup;
  }

  void trigger(AppKey key) {
    registered.getOrDefault(key, Set.of()).forEach(Wakeup::trigger);
  }

  private void unregister(AppKey key, Wakeup wakeup) {
    registered.computeIfPresent(
        key,
        (app, wakeups) -> {
          wakeups.remove(wakeup);
          return wakeups.isEmpty() ? null : wakeups;
        });
  }
}
