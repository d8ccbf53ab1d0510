package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.maintenance.LeavingRoles.FoundPrimary;
import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Has the primary switch over if it is one of the pods that go for good, until a pod that stays is
 * the primary. Agents do not know which pods go, so the next primary may be another one of these. A
 * pod that is only the last known primary, and whose agent does not answer, goes as it is. The
 * operation ids are as of {@link PrimarySwitchover}.
 */
final class LeavingPrimary {
  /** Beyond one for each pod that goes. */
  private static final int SPARE_SWITCHOVERS = 2;

  private final PodStepContext context;
  private final LeavingRoles roles;
  private final AgentActions actions;
  private final DrainRequest request;
  private final String step;
  private final Set<String> unreached = new HashSet<>();
  private int count;

  /**
   * @param step names the step for agents; the same when the step is repeated
   */
  LeavingPrimary(
      PodStepContext context,
      LeavingRoles roles,
      AgentActions actions,
      DrainRequest request,
      String step) {
    this.context = context;
    this.roles = roles;
    this.actions = actions;
    this.request = request;
    this.step = step;
  }

  /**
   * Returns when none of the pods that go is the primary, as far as their agents answer.
   *
   * @param pods of which one may be the primary now
   * @throws io.temporal.failure.ApplicationFailure of kind AGENT_REFUSED or AGENTS_UNAVAILABLE when
   *     the switchover failed
   */
  void switchOver(List<LeavingPod> pods) {
    if (!request.switchover()) {
      return;
    }
    var primary = find(pods);
    while (primary.isPresent()) {
      var app = context.gate().pass(change());
      var successor = switchOver(app, primary.get());
      primary = named(successor).or(() -> find(request.pods()));
    }
  }

  /**
   * @return the name of the new primary; empty when it is not known
   */
  private String switchOver(App app, FoundPrimary primary) {
    var pod = primary.pod();
    if (count == request.pods().size() + SPARE_SWITCHOVERS) {
      throw failure(
          FaultKind.AGENT_REFUSED,
          pod,
          "after %d successful switchovers the primary is still one of the pods to remove; see the agents' logs"
              .formatted(count));
    }
    count++;
    var call = new ActionCall(request.agents(), pod, "%s/switchover-%d".formatted(step, count));
    var progress = AgentActionProgress.of(context, change());
    var outcome = actions.switchover(call, progress);
    progress.done();
    if (outcome instanceof ActionUnanswered<String>(var why) && primary.remembered()) {
      unreached.add(pod.uid());
      context
          .reporter()
          .notSwitchedOver(
              app,
              pod,
              "pod %s was the primary when its agent was last heard; it is removed without a switchover: %s"
                  .formatted(pod.name(), why));
      return "";
    }
    var successor =
        outcome.orThrow(
            PrimarySwitchover.WITHOUT_AN_AGENT_THAT_CAN, (kind, why) -> failure(kind, pod, why));
    var note =
        "pod %s has switched over%s, because it is about to be removed"
            .formatted(pod.name(), successor.isEmpty() ? "" : " to " + successor);
    context.reporter().event(app, "PrimarySwitchedOver", "Switchover", pod, note);
    return successor;
  }

  private Optional<FoundPrimary> named(String name) {
    return observed(request.pods()).stream()
        .filter(pod -> pod.name().equals(name))
        .findFirst()
        .map(pod -> new FoundPrimary(pod, false));
  }

  private Optional<FoundPrimary> find(List<LeavingPod> pods) {
    var observed = observed(pods).stream().filter(pod -> !unreached.contains(pod.uid())).toList();
    if (observed.isEmpty()) {
      return Optional.empty();
    }
    var message = "pod %s: to be drained, asked for its role".formatted(observed.getFirst().name());
    return AttendedCalls.await(
        () -> roles.primary(observed), () -> context.waiter().heartbeat().send(message));
  }

  private List<PodState> observed(List<LeavingPod> pods) {
    var now = context.view().pods(AppKey.of(change()));
    return pods.stream().flatMap(pod -> PodDrain.observed(now, pod).stream()).toList();
  }

  private RuntimeException failure(FaultKind kind, PodState pod, String why) {
    return Faults.of(
        kind,
        "pod %s is to be removed from group %s and is the primary, but has not switched over; no pod was removed: %s"
            .formatted(pod.name(), request.group().group(), why));
  }

  private ChangeRef change() {
    return request.group().task().change();
  }
}
