package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.Reasons;
import java.time.Instant;
import java.util.List;

/**
 * How a Component or a Group stands: the same rules for both. While a task is under way on it, it
 * keeps speaking of the generation that was carried out before, so that it is never ready for one
 * that is not.
 *
 * @param unfinished whether a task has begun on it and has not ended
 * @param stopped whether it is meant to have no pods
 * @param observedBefore the generation its status speaks of so far; null when there is none
 */
record PartHealth(
    long generation, boolean unfinished, boolean stopped, Long observedBefore, ReadyCount tally) {

  /** The generation carried out; null when none is. */
  Long observed() {
    return unfinished ? observedBefore : Long.valueOf(generation);
  }

  String phase() {
    return chosenPhase().label();
  }

  private HealthPhase chosenPhase() {
    if (observed() == null) {
      return HealthPhase.PROVISIONING;
    }
    if (unfinished) {
      return HealthPhase.CHANGING;
    }
    if (stopped) {
      return HealthPhase.STOPPED;
    }
    return tally.isComplete() ? HealthPhase.RUNNING : HealthPhase.DEGRADED;
  }

  List<Condition> conditions(List<Condition> before, Instant now) {
    return List.of(verdict().condition(before, now));
  }

  private ReadyVerdict verdict() {
    if (observed() == null) {
      return ReadyVerdict.notReady(Reasons.CHANGE_IN_PROGRESS, tally.inWords(), generation);
    }
    if (stopped && !unfinished) {
      return ReadyVerdict.stopped(tally, observed());
    }
    return tally.isComplete()
        ? ReadyVerdict.ready(tally, observed())
        : ReadyVerdict.notReady(Reasons.PODS_NOT_READY, tally.inWords(), observed());
  }
}
