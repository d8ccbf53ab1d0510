package io.middleware.engine.watcher.health;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is wrong with an App, or a part of it, although its pods may be ready.
 *
 * @param type of the condition that says so
 */
public record HealthProblem(String type, String reason, String message) {
  private static final int SHOWN = 5;
  private static final int LONGEST_MESSAGE = 32_768;

  /** What is only told: nothing that runs is other than it was rolled out. */
  private static final Set<String> TOLD =
      Set.of(
          Reasons.FOREIGN_FIELDS,
          Reasons.PLUGIN_MISSING,
          Reasons.BACKUP_STORE_MISSING,
          Reasons.BACKUP_MISSING,
          Reasons.SECRET_MISSING,
          Reasons.SECRET_FORBIDDEN);

  /** Parts of the message are the words of others. */
  public HealthProblem {
    message = Excerpt.withinBytes(message, LONGEST_MESSAGE);
  }

  /** All of one type together; the reason is that of the first one. */
  public static Optional<HealthProblem> together(List<HealthProblem> all) {
    return all.stream()
        .findFirst()
        .map(
            first ->
                new HealthProblem(
                    first.type(),
                    first.reason(),
                    shown(all.stream().map(HealthProblem::message), all.size(), "; ")));
  }

  /** What a status says already. */
  static Optional<HealthProblem> shown(String type, List<Condition> conditions) {
    return in(type, conditions).stream()
        .map(it -> new HealthProblem(type, it.getReason(), it.getMessage()))
        .findFirst();
  }

  /** The condition of this type of the given ones, if it is there. */
  static List<Condition> in(String type, List<Condition> conditions) {
    return conditions == null
        ? List.of()
        : conditions.stream().filter(condition -> type.equals(condition.getType())).toList();
  }

  static String shown(Stream<String> texts, int count, String separator) {
    var first = texts.limit(SHOWN).collect(joining(separator));
    return count > SHOWN ? "%s and %d more".formatted(first, count - SHOWN) : first;
  }

  /** Whether what has it is not ready. */
  boolean isDegrading() {
    return !TOLD.contains(reason);
  }

  Condition condition(List<Condition> before, Long observedGeneration, Instant now) {
    var since =
        in(type, before).stream()
            .map(Condition::getLastTransitionTime)
            .findFirst()
            .orElseGet(() -> Timestamp.of(now));
    return new ConditionBuilder()
        .withType(type)
        .withStatus("True")
        .withReason(reason)
        .withMessage(message)
        .withObservedGeneration(observedGeneration)
        .withLastTransitionTime(since)
        .build();
  }
}
