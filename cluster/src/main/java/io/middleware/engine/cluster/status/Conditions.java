package io.middleware.engine.cluster.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects conditions. The transition time changes only when the status changes. */
final class Conditions {
  private static final int LONGEST_MESSAGE = 32_768;

  private final Optional<AppStatus> before;
  private final long generation;
  private final Instant now;
  private final List<Condition> conditions = new ArrayList<>();

  /**
   * @param generation that the conditions are about
   */
  Conditions(Optional<AppStatus> before, long generation, Instant now) {
    this.before = before;
    this.generation = generation;
    this.now = now;
  }

  static Optional<Condition> find(Optional<AppStatus> status, String type) {
    return status
        .map(AppStatus::conditions)
        .flatMap(all -> all.stream().filter(one -> type.equals(one.getType())).findFirst());
  }

  void set(String type, boolean holds, String reason, String message) {
    var status = holds ? "True" : "False";
    conditions.add(
        new ConditionBuilder()
            .withType(type)
            .withStatus(status)
            .withReason(reason)
            .withMessage(Excerpt.withinBytes(message, LONGEST_MESSAGE))
            .withObservedGeneration(generation)
            .withLastTransitionTime(since(type, status))
            .build());
  }

  /** Keeps the condition as it is, if there is one. */
  void keep(String type) {
    find(before, type).ifPresent(conditions::add);
  }

  List<Condition> all() {
    return List.copyOf(conditions);
  }

  private String since(String type, String status) {
    return find(before, type)
        .filter(old -> status.equals(old.getStatus()))
        .map(Condition::getLastTransitionTime)
        .orElseGet(() -> Timestamp.of(now));
  }
}
