package io.middleware.engine.watcher.health;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Roles that cannot be: several pods of a group are the primary, or none is although one was; or a
 * pod that cannot do what its role promises.
 */
public record RoleProblem(String reason, String message) {
  private static final int SHOWN = 5;
  private static final int LONGEST_MESSAGE = 32_768;

  /** Parts of the message are the words of agents. */
  public RoleProblem {
    message = Excerpt.withinBytes(message, LONGEST_MESSAGE);
  }

  /** Of a group, unless it may be an election. */
  static Optional<RoleProblem> of(GroupState group) {
    if (!group.roles().isInconsistent()) {
      return impaired(group);
    }
    var primaries = group.pods().stream().filter(PodHealth::isPrimary).toList();
    var name = "group %s of %s".formatted(group.name(), group.component());
    return primaries.isEmpty() ? none(name, group.pods()) : several(name, primaries);
  }

  /** Of all these groups together; the reason is that of the first one that has a problem. */
  static Optional<RoleProblem> of(List<GroupState> groups) {
    var all = groups.stream().flatMap(group -> of(group).stream()).toList();
    return all.stream()
        .findFirst()
        .map(
            first ->
                new RoleProblem(
                    first.reason(),
                    shown(all.stream().map(RoleProblem::message), all.size(), "; ")));
  }

  /** The condition RolesInconsistent of the given ones, if it is there. */
  public static List<Condition> in(List<Condition> conditions) {
    return conditions == null
        ? List.of()
        : conditions.stream()
            .filter(condition -> Reasons.ROLES_INCONSISTENT.equals(condition.getType()))
            .toList();
  }

  /** Whether the App's status says so. */
  static boolean isShown(App app) {
    return app.getStatus() != null && !in(app.getStatus().conditions()).isEmpty();
  }

  Condition condition(List<Condition> before, Long observedGeneration, Instant now) {
    var since =
        in(before).stream()
            .map(Condition::getLastTransitionTime)
            .findFirst()
            .orElseGet(() -> Timestamp.of(now));
    return new ConditionBuilder()
        .withType(Reasons.ROLES_INCONSISTENT)
        .withStatus("True")
        .withReason(reason)
        .withMessage(message)
        .withObservedGeneration(observedGeneration)
        .withLastTransitionTime(since)
        .build();
  }

  private static Optional<RoleProblem> several(String group, List<PodHealth> primaries) {
    return primaries.size() < 2
        ? Optional.empty()
        : Optional.of(
            new RoleProblem(
                Reasons.SEVERAL_PRIMARIES,
                "%s has %d primaries: %s; what is written to one of them is lost when it follows another; make all but the one whose data are to stay its replicas"
                    .formatted(group, primaries.size(), names(primaries))));
  }

  private static Optional<RoleProblem> impaired(GroupState group) {
    var troubles = group.roles().lastingTroubles();
    var texts = troubles.stream().map(it -> "pod %s: %s".formatted(it.pod(), it.text()));
    return troubles.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RoleProblem(
                Reasons.ROLE_IMPAIRED,
                "group %s of %s: %s"
                    .formatted(
                        group.name(), group.component(), shown(texts, troubles.size(), "; "))));
  }

  private static Optional<RoleProblem> none(String group, List<PodHealth> pods) {
    var ready = pods.stream().filter(PodHealth::isReady).toList();
    return ready.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RoleProblem(
                Reasons.NO_PRIMARY,
                "%s has no primary, and waits until the middleware elects one: %s say that they are not; if it does not, make the pod with the newest data the primary"
                    .formatted(group, names(ready))));
  }

  private static String names(List<PodHealth> pods) {
    return shown(pods.stream().map(pod -> pod.pod().getMetadata().getName()), pods.size(), ", ");
  }

  private static String shown(Stream<String> texts, int count, String separator) {
    var first = texts.limit(SHOWN).collect(joining(separator));
    return count > SHOWN ? "%s and %d more".formatted(first, count - SHOWN) : first;
  }
}
