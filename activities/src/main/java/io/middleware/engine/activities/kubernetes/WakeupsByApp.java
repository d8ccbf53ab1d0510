package io.middleware.engine.activities.kubernetes;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The waiters of each App. */
final class WakeupsByApp {
  private final Map<AppKey, Set<Wakeup>> hung = new ConcurrentHashMap<>();

  Wakeup hang(AppKey key) {
    var place = new Wakeup[1];
    var bell = new Wakeup(() -> takeDown(key, place[0]));
    place[0] = bell;
    hung.compute(
        key,
        (app, bells) -> {
          var all = bells == null ? ConcurrentHashMap.<Wakeup>newKeySet() : bells;
          all.add(bell);
          return all;
        });
    return bell;
  }

  void ring(AppKey key) {
    hung.getOrDefault(key, Set.of()).forEach(Wakeup::ring);
  }

  private void takeDown(AppKey key, Wakeup bell) {
    hung.computeIfPresent(
        key,
        (app, bells) -> {
          bells.remove(bell);
          return bells.isEmpty() ? null : bells;
        });
  }
}
