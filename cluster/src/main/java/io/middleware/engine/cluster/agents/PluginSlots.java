package io.middleware.engine.cluster.agents;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * How many questions may be open to the agents of each Plugin. Agents that hang then hold up only
 * other questions to agents of their own Plugin.
 */
final class PluginSlots {
  private final int perPlugin;
  private final Map<String, Semaphore> free = new ConcurrentHashMap<>();

  /**
   * @param all slots; one Plugin has a quarter of them
   */
  PluginSlots(int all) {
    this.perPlugin = Math.max(1, all / 4);
  }

  /** A slot that is in use until it is closed. */
  interface Slot extends AutoCloseable {
    @Override
    void close();
  }

  /** Does not wait: empty when all slots of the Plugin are in use. */
  Optional<Slot> take(String plugin) {
    var slots = free.computeIfAbsent(plugin, unused -> new Semaphore(perPlugin));
    return slots.tryAcquire() ? Optional.of(slots::release) : Optional.empty();
  }

  int perPlugin() {
    return perPlugin;
  }
}
