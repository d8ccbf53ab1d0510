package io.middleware.engine.activities.agents;

import io.middleware.engine.activities.status.ActionProgressWriter;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/** Asks with patience; meanwhile heartbeats, and shows in the status what the agents say. */
final class PatientAsking implements Asking {
  private static final Duration BUSY = Duration.ofSeconds(1);

  private final AgentQueries agents;
  private final PluginSlots slots;
  private final Consumer<String> heartbeat;
  private final Function<ChangeRef, ShownWait> progress;
  private final ChangeRef change;
  private final AtomicReference<String> message;

  /**
   * @param heartbeat may throw to end the questions
   * @param subject for people: what is asked for
   */
  PatientAsking(
      PatientAgents patient, Consumer<String> heartbeat, ChangeRef change, String subject) {
    this.agents = patient.agents();
    this.slots = patient.slots();
    this.progress = patient.progress();
    this.heartbeat = heartbeat;
    this.change = change;
    this.message = new AtomicReference<>("waiting for the agents' " + subject);
  }

  /** What all patient questions of a worker share. */
  record PatientAgents(
      AgentQueries agents, PluginSlots slots, Function<ChangeRef, ShownWait> progress) {}

  /** Shows in the status what is waited for, once it takes long. */
  interface ShownWait {
    void report(String message);

    void done();

    static ShownWait in(ActionProgressWriter.Action action) {
      return new ShownWait() {
        @Override
        public void report(String message) {
          action.report(message);
        }

        @Override
        public void done() {
          action.done();
        }
      };
    }
  }

  @Override
  public <T> Optional<T> ask(PluginSpec plugin, Function<AgentQueries, T> questions) {
    var subject = message.get();
    var action = progress.apply(change);
    var asked = agents.reportingTo(why -> message.set(subject + ": " + why));
    try (var slot = slots.take(plugin.name()).orElseThrow(() -> busy(plugin))) {
      var answer =
          AttendedCalls.await(
              () -> questions.apply(asked),
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
                .formatted(slots.perPlugin(), plugin.name()))
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
