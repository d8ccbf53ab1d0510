package io.middleware.engine.activities.agents;

import io.middleware.engine.api.PluginSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** How the agents of a Plugin are asked for an order. */
interface Asking {

  /**
   * Asks questions.
   *
   * @return their result; empty when they cannot be asked now
   */
  <T> Optional<T> ask(PluginSpec plugin, Function<AgentQueries, T> questions);

  /** Whether an answer that is missing now is waited for later. */
  boolean mayWaitLater();

  /** How long to wait for the controller of the pods. */
  Duration controllerTimeout();

  /** Asks once, within a second. */
  record AtOnce(AgentQueries agents, PluginSlots slots) implements Asking {
    @Override
    public <T> Optional<T> ask(PluginSpec plugin, Function<AgentQueries, T> questions) {
      var slot = slots.take(plugin.name());
      if (slot.isEmpty()) {
        return Optional.empty();
      }
      try (var taken = slot.get()) {
        return Optional.of(questions.apply(agents.brief()));
      }
    }

    @Override
    public boolean mayWaitLater() {
      return true;
    }

    /** Normally a controller observes what was applied within milliseconds. */
    @Override
    public Duration controllerTimeout() {
      return Duration.ofSeconds(1);
    }
  }
}
