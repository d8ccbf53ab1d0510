package io.middleware.engine.activities.maintenance;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.activities.pods.PodRoles;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The primary of a group: the only one of its pods whose agent says so. */
final class GroupPrimary {
  /** While a primary moves, there may be none, or two. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final PodStepContext context;
  private final AgentQueries queries;
  private final AgentEndpoint agents;
  private final GroupRef group;
  private PodRoles roles = new PodRoles(Map.of());

  GroupPrimary(PodStepContext context, AgentQueries queries, AgentEndpoint agents, GroupRef group) {
    this.context = context;
    this.queries = queries;
    this.agents = agents;
    this.group = group;
  }

  /**
   * The primary, as soon as there is one.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind AGENT_REFUSED when all agents say that
   *     there is none, of kind AGENTS_UNAVAILABLE when that is not sure
   */
  PodState await() {
    var missing = context.waiter().until(key(), PATIENCE, this::missing);
    if (missing.isEmpty()) {
      return roles.primaries().getFirst();
    }
    var sure = !roles.byPod().containsValue("") && roles.primaries().isEmpty();
    throw Faults.of(
        sure && !roles.byPod().isEmpty() ? FaultKind.AGENT_REFUSED : FaultKind.AGENTS_UNAVAILABLE,
        missing.get());
  }

  /** For people: that the pod's agent does not report a role; empty when it does. */
  Optional<String> silent(PodState pod) {
    var told =
        AttendedCalls.await(
            () -> PodRoles.of(queries, agents, List.of(pod)),
            () ->
                context
                    .waiter()
                    .heartbeat()
                    .send("pod %s: asked for its role".formatted(pod.name())));
    return told.byPod().containsValue("")
        ? Optional.of("pod %s: its agent does not report its role".formatted(pod.name()))
        : Optional.empty();
  }

  private Optional<String> missing() {
    var ready = ready();
    var subject = "group %s of component %s".formatted(group.group(), group.task().component());
    roles =
        AttendedCalls.await(
            () -> PodRoles.of(queries, agents, ready),
            () -> context.waiter().heartbeat().send(subject + ": asked for its primary"));
    return switch (roles.primaries().size()) {
      case 0 -> Optional.of("%s has no primary: %s".formatted(subject, answers()));
      case 1 -> Optional.empty();
      default -> Optional.of("%s has several primaries: %s".formatted(subject, answers()));
    };
  }

  /** For example {@code cache-db-a-0 is replica, cache-db-a-1 does not answer}. */
  private String answers() {
    return roles.byPod().isEmpty()
        ? "no pod of it is ready"
        : roles.byPod().entrySet().stream()
            .map(
                it ->
                    it.getKey().name()
                        + (it.getValue().isEmpty() ? " does not answer" : " is " + it.getValue()))
            .collect(joining(", "));
  }

  private List<PodState> ready() {
    return context.view().statefulSet(key(), group.task().component(), group.group()).stream()
        .flatMap(set -> context.view().podsOf(key(), set).stream())
        .filter(pod -> pod.isReady() && pod.ip().isPresent())
        .toList();
  }

  private AppKey key() {
    return AppKey.of(group.change());
  }
}
