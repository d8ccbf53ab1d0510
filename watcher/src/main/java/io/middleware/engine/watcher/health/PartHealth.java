package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.Reasons;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Computes the health of a Component or a Group, by the same rules for both. While a task runs on
 * it, the condition Ready keeps the generation carried out before, so that it is never ready for a
 * generation that is not carried out.
 *
 * @param unfinished whether a task began on it and has not ended
 * @param stopped whether its desired state is to have no pods
 * @param observedBefore the generation that its status has observed so far; null when there is none
 * @param problems of its objects, and of the roles of its pods
 */
record PartHealth(
    long generation,
    boolean unfinished,
    boolean stopped,
    Long observedBefore,
    ReadyCount readyCount,
    List<HealthProblem> problems) {
  PartHealth {
    problems = List.copyOf(problems);
  }

  /** The conditions that the watcher writes for every kind. */
  static List<Condition> own(List<Condition> conditions) {
    return Stream.of(
            ReadyCondition.readyIn(conditions),
            HealthProblem.in(Reasons.OBJECTS_DRIFTED, conditions),
            RoleProblem.in(conditions))
        .flatMap(List::stream)
        .toList();
  }

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
    return readyCount.isComplete() && problems.stream().noneMatch(HealthProblem::isDegrading)
        ? HealthPhase.RUNNING
        : HealthPhase.DEGRADED;
  }

  List<Condition> conditions(List<Condition> before, Instant now) {
    return Stream.concat(
            Stream.of(readyVerdict().condition(before, now)),
            problems.stream().map(it -> it.condition(before, observed(), now)))
        .toList();
  }

  private ReadyCondition readyVerdict() {
    if (observed() == null) {
      return ReadyCondition.notReady(Reasons.CHANGE_IN_PROGRESS, readyCount.message(), generation);
    }
    return ReadyCondition.of(readyCount, stopped && !unfinished, problems, observed());
  }
}
