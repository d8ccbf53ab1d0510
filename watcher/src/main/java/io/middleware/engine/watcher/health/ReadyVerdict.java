package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.middleware.engine.api.Reasons;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Whether something is ready, and why.
 *
 * @param generation that this speaks of: what {@code kubectl wait} compares
 */
record ReadyVerdict(boolean ready, String reason, String message, Long generation) {

  static ReadyVerdict ready(ReadyCount tally, Long generation) {
    return new ReadyVerdict(true, Reasons.ALL_PODS_READY, tally.inWords(), generation);
  }

  /**
   * What is stopped as it is meant to be is ready, as a Deployment of 0 replicas is available: who
   * waits for an edit need not know that it stops.
   */
  static ReadyVerdict stopped(ReadyCount tally, Long generation) {
    return new ReadyVerdict(true, Reasons.STOPPED, "stopped: " + tally.inWords(), generation);
  }

  static ReadyVerdict notReady(String reason, String message, Long generation) {
    return new ReadyVerdict(false, reason, message, generation);
  }

  /** The condition Ready, whose time moves only when its status does. */
  Condition condition(List<Condition> before, Instant now) {
    var status = ready ? "True" : "False";
    var since =
        readyIn(before).stream()
            .filter(condition -> condition.getStatus().equals(status))
            .map(Condition::getLastTransitionTime)
            .findFirst()
            .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
    return new ConditionBuilder()
        .withType(Reasons.READY)
        .withStatus(status)
        .withReason(reason)
        .withMessage(message)
        .withObservedGeneration(generation)
        .withLastTransitionTime(since)
        .build();
  }

  /** The condition Ready alone, of those given. */
  static List<Condition> readyIn(List<Condition> conditions) {
    return conditions == null
        ? List.of()
        : conditions.stream()
            .filter(condition -> condition.getType().equals(Reasons.READY))
            .toList();
  }
}
