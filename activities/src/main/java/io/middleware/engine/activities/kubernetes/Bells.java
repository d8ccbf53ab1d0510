package io.middleware.engine.activities.kubernetes;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The waiters of each App. */
final class Bells {
  private final Map<AppKey, Set<Bell>> hung = new ConcurrentHashMap<>();

  Bell hang(AppKey key) {
    var place = new Bell[1];
    var bell = new Bell(() -> takeDown(key, place[0]));
    place[0] = bell;
    hung.compute(
        key,
        (app, bells) -> {
          var all = bells == null ? ConcurrentHashMap.<Bell>newKeySet() : bells;
          all.add(bell);
          return all;
        });
    return bell;
  }

  void ring(AppKey key) {
    hung.getOrDefault(key, Set.of()).forEach(Bell::ring);
  }

  private void takeDown(AppKey key, Bell bell) {
    hung.computeIfPresent(
        key,
        (app, bells) -> {
          bells.remove(bell);
          return bells.isEmpty() ? null : bells;
        });
  }
}
