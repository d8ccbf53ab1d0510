package io.middleware.engine.activities.checks;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Role;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.render.expression.ConditionScope;
import java.util.Map;
import java.util.Optional;

/**
 * A pod at the moment of a look.
 *
 * @param role what its agent says now; empty when it says nothing
 * @param hasAgent whether an agent can be asked: not in pods of a Deployment
 */
record CheckedPod(PodState pod, Optional<String> role, boolean hasAgent) {

  /** As expressions see it. */
  Map<String, Object> variable() {
    return ConditionScope.node(
        pod.name(), pod.label(Labels.GROUP), role.orElse(""), pod.isReady(), pod.revision());
  }

  /** For people, for example {@code cache-db-g-0 primary ready}. */
  String shown() {
    return "%s%s%s"
        .formatted(
            pod.name(),
            role.filter(it -> !it.isEmpty()).map(it -> " " + it).orElse(""),
            pod.isReady() ? " ready" : " not ready");
  }

  boolean isPrimary() {
    return role.filter(Role.PRIMARY::equals).isPresent();
  }

  /** Why its agent cannot be asked, or has not said its role; empty when it has. */
  Optional<String> silence() {
    if (!pod.isReady()) {
      return Optional.of("pod %s is not ready: %s".formatted(pod.name(), pod.trouble()));
    }
    return role.isEmpty()
        ? Optional.of("pod %s: its agent does not report its role".formatted(pod.name()))
        : Optional.empty();
  }
}
