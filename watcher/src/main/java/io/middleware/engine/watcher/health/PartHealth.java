package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.Reasons;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Computes the health of a Component or a Group, by the same rules for both. While a task runs on
 * it, the condition Ready keeps the generation carried out before, so that it is never ready for a
 * generation that is not carried out.
 *
 * @param unfinished whether a task began on it and has not ended
 * @param stopped whether its desired state is to have no pods
 * @param observedBefore the generation that its status has observed so far; null when there is none
 * @param roleProblem of the roles of its pods, if they cannot be
 */
record PartHealth(
    long generation,
    boolean unfinished,
    boolean stopped,
    Long observedBefore,
    ReadyCount readyCount,
    Optional<RoleProblem> roleProblem) {

  /** The generation carried out; null when there is none. */
  Long observed() {
    return unfinished ? observedBefore : Long.valueOf(generation);
  }

  String phase() {
    return healthPhase().label();
  }

  private HealthPhase healthPhase() {
    if (observed() == null) {
      return HealthPhase.PROVISIONING;
    }
    if (unfinished) {
      return HealthPhase.CHANGING;
    }
    if (stopped && readyCount.isComplete()) {
      return HealthPhase.STOPPED;
    }
    return readyCount.isComplete() && roleProblem.isEmpty()
        ? HealthPhase.RUNNING
        : HealthPhase.DEGRADED;
  }

  List<Condition> conditions(List<Condition> before, Instant now) {
    return Stream.concat(
            Stream.of(readyVerdict().condition(before, now)),
            roleProblem.stream().map(it -> it.condition(before, observed(), now)))
        .toList();
  }

  private ReadyCondition readyVerdict() {
    if (observed() == null) {
      return ReadyCondition.notReady(Reasons.CHANGE_IN_PROGRESS, readyCount.message(), generation);
    }
    if (stopped && !unfinished) {
      return ReadyCondition.ofStopped(readyCount, observed());
    }
    if (readyCount.isComplete() && roleProblem.isPresent()) {
      return ReadyCondition.notReady(
          roleProblem.get().reason(), roleProblem.get().message(), observed());
    }
    return readyCount.isComplete()
        ? ReadyCondition.ready(readyCount, observed())
        : ReadyCondition.notReady(Reasons.PODS_NOT_READY, readyCount.message(), observed());
  }
}
