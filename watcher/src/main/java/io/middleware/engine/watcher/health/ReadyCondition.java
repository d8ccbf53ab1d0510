package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import java.time.Instant;
import java.util.List;

/**
 * Whether an object is ready and why: the content of its condition Ready.
 *
 * @param generation the observed generation, which {@code kubectl wait} compares
 */
record ReadyCondition(boolean ready, String reason, String message, Long generation) {
  private static final int LONGEST_MESSAGE = 32_768;

  /** Parts of the message are the words of kubelets, containers and agents. */
  ReadyCondition {
    message = Excerpt.withinBytes(message, LONGEST_MESSAGE);
  }

  /** Of what no change works on. Objects that are missing may be why pods are not ready. */
  static ReadyCondition of(
      ReadyCount readyCount, boolean stopped, List<HealthProblem> problems, Long generation) {
    var problem =
        problems.stream()
            .filter(HealthProblem::isDegrading)
            .filter(it -> readyCount.isComplete() || it.type().equals(Reasons.OBJECTS_DRIFTED))
            .findFirst();
    if (problem.isPresent()) {
      var pods = readyCount.isComplete() ? "" : "; " + readyCount.message();
      return notReady(problem.get().reason(), problem.get().message() + pods, generation);
    }
    if (stopped) {
      return ofStopped(readyCount, generation);
    }
    return readyCount.isComplete()
        ? ready(readyCount, generation)
        : notReady(Reasons.PODS_NOT_READY, readyCount.message(), generation);
  }

  static ReadyCondition ready(ReadyCount readyCount, Long generation) {
    return new ReadyCondition(true, Reasons.ALL_PODS_READY, readyCount.message(), generation);
  }

  /**
   * An object whose desired state is stopped is ready, like a Deployment with 0 replicas: a client
   * that waits for an edit need not know that the edit stops it. It is not while pods remain.
   */
  static ReadyCondition ofStopped(ReadyCount readyCount, Long generation) {
    return readyCount.isComplete()
        ? new ReadyCondition(true, Reasons.STOPPED, "stopped: " + readyCount.message(), generation)
        : notReady(
            Reasons.PODS_REMAIN, "it should be stopped: " + readyCount.message(), generation);
  }

  static ReadyCondition notReady(String reason, String message, Long generation) {
    return new ReadyCondition(false, reason, message, generation);
  }

  /** The condition Ready; its transition time changes only when its status does. */
  Condition condition(List<Condition> before, Instant now) {
    var status = ready ? "True" : "False";
    var since =
        readyIn(before).stream()
            .filter(condition -> condition.getStatus().equals(status))
            .map(Condition::getLastTransitionTime)
            .findFirst()
            .orElseGet(() -> Timestamp.of(now));
    return new ConditionBuilder()
        .withType(Reasons.READY)
        .withStatus(status)
        .withReason(reason)
        .withMessage(message)
        .withObservedGeneration(generation)
        .withLastTransitionTime(since)
        .build();
  }

  /** Only the condition Ready of the given ones. */
  static List<Condition> readyIn(List<Condition> conditions) {
    return conditions == null
        ? List.of()
        : conditions.stream()
            .filter(condition -> condition.getType().equals(Reasons.READY))
            .toList();
  }
}
