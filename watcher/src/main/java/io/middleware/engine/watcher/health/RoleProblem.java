package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Reasons;
import java.util.List;
import java.util.Optional;

/**
 * Roles that cannot be: several pods of a group are the primary, or none is although one was; or a
 * pod that cannot do what its role promises.
 */
public final class RoleProblem {
  private RoleProblem() {}

  /** Of a group, unless it may be an election. */
  static Optional<HealthProblem> of(GroupState group) {
    if (!group.roles().isInconsistent()) {
      return impaired(group);
    }
    var primaries = group.pods().stream().filter(PodHealth::isPrimary).toList();
    var name = "group %s of %s".formatted(group.name(), group.component());
    return primaries.isEmpty() ? none(name, group.pods()) : several(name, primaries);
  }

  /** Of all these groups together. */
  static Optional<HealthProblem> of(List<GroupState> groups) {
    return HealthProblem.together(groups.stream().flatMap(group -> of(group).stream()).toList());
  }

  /** The condition RolesInconsistent of the given ones, if it is there. */
  public static List<Condition> in(List<Condition> conditions) {
    return HealthProblem.in(Reasons.ROLES_INCONSISTENT, conditions);
  }

  /** Whether the App's status says so. */
  static boolean isShown(App app) {
    return app.getStatus() != null && !in(app.getStatus().conditions()).isEmpty();
  }

  private static Optional<HealthProblem> several(String group, List<PodHealth> primaries) {
    return primaries.size() < 2
        ? Optional.empty()
        : Optional.of(
            problem(
                Reasons.SEVERAL_PRIMARIES,
                "%s has %d primaries: %s; what is written to one of them is lost when it follows another; make all but the one whose data are to stay its replicas"
                    .formatted(group, primaries.size(), names(primaries))));
  }

  private static Optional<HealthProblem> impaired(GroupState group) {
    var troubles = group.roles().lastingTroubles();
    var texts = troubles.stream().map(it -> "pod %s: %s".formatted(it.pod(), it.text()));
    return troubles.isEmpty()
        ? Optional.empty()
        : Optional.of(
            problem(
                Reasons.ROLE_IMPAIRED,
                "group %s of %s: %s"
                    .formatted(
                        group.name(),
                        group.component(),
                        HealthProblem.shown(texts, troubles.size(), "; "))));
  }

  private static Optional<HealthProblem> none(String group, List<PodHealth> pods) {
    var ready = pods.stream().filter(PodHealth::isReady).toList();
    return ready.isEmpty()
        ? Optional.empty()
        : Optional.of(
            problem(
                Reasons.NO_PRIMARY,
                "%s has no primary, and waits until the middleware elects one: %s say that they are not; if it does not, make the pod with the newest data the primary"
                    .formatted(group, names(ready))));
  }

  private static String names(List<PodHealth> pods) {
    return HealthProblem.shown(
        pods.stream().map(pod -> pod.pod().getMetadata().getName()), pods.size(), ", ");
  }

  private static HealthProblem problem(String reason, String message) {
    return new HealthProblem(Reasons.ROLES_INCONSISTENT, reason, message);
  }
}
