package io.middleware.engine.cluster.agents;

import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.status.ActionProgressWriter.Action;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/** An attempt to get an order from the agents of a Plugin. */
sealed interface OrderAttempt {

  /**
   * Asks for orders.
   *
   * @return the answer; empty when the agents cannot be asked now
   */
  <T> Optional<T> ask(PluginSpec plugin, Function<AgentOrders, T> question);

  /** Whether an answer that is missing now is waited for later. */
  boolean mayWaitLater();

  /** How long to wait for the controller of the pods. */
  Duration controllerTimeout();

  /** Asks once, within a second. */
  record QuickAttempt(AgentQueries agents, PluginSlots slots) implements OrderAttempt {
    @Override
    public <T> Optional<T> ask(PluginSpec plugin, Function<AgentOrders, T> question) {
      var slot = slots.take(plugin.name());
      if (slot.isEmpty()) {
        return Optional.empty();
      }
      try (var taken = slot.get()) {
        return Optional.of(question.apply(new AgentOrders(agents.brief(), true)));
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

  /** What all patient attempts of a worker share. */
  record Patience(AgentQueries agents, PluginSlots slots, Function<ChangeRef, Action> progress) {}

  /**
   * Asks with patience; meanwhile heartbeats, and shows in the status what the agents say.
   *
   * @param heartbeat may throw to end the questions
   * @param subject for people: what is asked for
   */
  record PatientAttempt(
      Patience patience, Consumer<String> heartbeat, ChangeRef change, String subject)
      implements OrderAttempt {
    private static final Duration BUSY = Duration.ofSeconds(1);

    @Override
    public <T> Optional<T> ask(PluginSpec plugin, Function<AgentOrders, T> question) {
      var waiting = "waiting for the agents' " + subject;
      var message = new AtomicReference<>(waiting);
      var agents = patience.agents().reportingTo(why -> message.set(waiting + ": " + why));
      var action = patience.progress().apply(change);
      try (var slot = patience.slots().take(plugin.name()).orElseThrow(() -> busy(plugin))) {
        var answer =
            AttendedCalls.await(
                () -> question.apply(new AgentOrders(agents)),
                () -> {
                  heartbeat.accept(message.get());
                  action.report(message.get());
                });
        action.done();
        return Optional.of(answer);
      }
    }

    private ApplicationFailure busy(PluginSpec plugin) {
      return ApplicationFailure.newBuilder()
          .setType(FaultKind.UNAVAILABLE.label())
          .setMessage(
              "%d orders of agents of Plugin %s are waited for; this one is asked for later"
                  .formatted(patience.slots().perPlugin(), plugin.name()))
          .setNextRetryDelay(BUSY)
          .build();
    }

    @Override
    public boolean mayWaitLater() {
      return false;
    }

    @Override
    public Duration controllerTimeout() {
      return Duration.ofSeconds(10);
    }
  }
}
