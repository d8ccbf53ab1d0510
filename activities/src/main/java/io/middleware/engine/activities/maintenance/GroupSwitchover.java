package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.SwitchoverStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Hands the primary of a group over, once for each Operation.
 *
 * <ol>
 *   <li>End if the Operation's status says that the group is done.
 *   <li>Ask the agents who the primary is. If it is the named successor, it is done. If none is
 *       named, it is done when the primary is not the one with which the group began: the process
 *       that has asked for it died before it knew the answer.
 *   <li>Write into the Operation's status with which primary the group begins; what is there stays.
 *   <li>Ask that pod to switch over. The id is made of the Operation and the group, so that a
 *       repeat attaches to a switchover in progress.
 *   <li>Write the new primary into the status.
 * </ol>
 */
final class GroupSwitchover {
  private final PodStepContext context;
  private final Operations operations;
  private final AgentActions actions;
  private final AgentEndpoint agents;
  private final GroupRef group;
  private final GroupPrimary primary;

  GroupSwitchover(
      PodStepContext context,
      Operations operations,
      AgentQueries queries,
      AgentActions actions,
      AgentEndpoint agents,
      GroupRef group) {
    this.context = context;
    this.operations = operations;
    this.actions = actions;
    this.agents = agents;
    this.group = group;
    this.primary = new GroupPrimary(context, queries, agents, group);
  }

  void run() {
    var app = context.gate().pass(change());
    var operation =
        operations.find(change()).filter(it -> it.getSpec() != null).orElseThrow(this::gone);
    var before = status(operation);
    if (before.map(SwitchoverStatus::to).isPresent()) {
      return;
    }
    var successor = operation.getSpec().target().named().stream().findFirst();
    var now = primary.await();
    var moved =
        successor
            .map(now.name()::equals)
            .orElseGet(() -> before.filter(it -> !now.name().equals(it.from())).isPresent());
    write(it -> it, now);
    var next = moved ? now.name() : switchOver(now, successor);
    if (moved) {
      actions.switchedOver(now, next); // by a process that may have died before it recorded that
    }
    write(it -> it.doneTo(next), now);
    report(app, now, next);
  }

  /** Returns the new primary. */
  private String switchOver(PodState pod, Optional<String> successor) {
    var id = "%s/%s".formatted(change().operation().orElseThrow().uid(), group.group());
    var progress = AgentActionProgress.of(context, change());
    var outcome = actions.switchover(new ActionCall(agents, pod, id), successor, progress);
    progress.done();
    var remedy = "; give the pods an agent that can switch over";
    var told = outcome.orThrow(remedy, (kind, why) -> failure(kind, pod, why));
    var next = told.isEmpty() ? primary.await().name() : told;
    require(pod, next, successor);
    return next;
  }

  private void require(PodState pod, String next, Optional<String> successor) {
    if (next.equals(pod.name())) {
      throw failure(
          FaultKind.AGENT_REFUSED,
          pod,
          "its agent reported a successful switchover; see the agent's log");
    }
    successor
        .filter(named -> !named.equals(next))
        .ifPresent(
            named -> {
              throw Faults.of(
                  FaultKind.AGENT_REFUSED,
                  "pod %s has switched over to %s and not to %s: its agent does not know named successors; update it, or leave spec.target.pods out"
                      .formatted(pod.name(), next, named));
            });
  }

  private void report(App app, PodState pod, String next) {
    if (!pod.name().equals(next)) {
      var note =
          "pod %s has switched over to %s, because %s asks for it"
              .formatted(pod.name(), next, change().subject());
      context.reporter().event(app, "PrimarySwitchedOver", "Switchover", pod, note);
    }
  }

  /**
   * @param now the primary, with which the group begins if it has not begun
   */
  private void write(UnaryOperator<SwitchoverStatus> next, PodState now) {
    var begun = new SwitchoverStatus(group.group(), now.name(), now.uid(), null);
    var written =
        operations.write(
            change(),
            found ->
                found.hasEnded()
                    ? Optional.empty()
                    : Optional.of(found.getStatus().with(next.apply(status(found).orElse(begun)))));
    if (written.isEmpty()) {
      throw gone();
    }
  }

  private Optional<SwitchoverStatus> status(Operation operation) {
    return Optional.ofNullable(operation.getStatus())
        .flatMap(status -> status.switchover(group.group()));
  }

  private RuntimeException gone() {
    return Faults.of(
        FaultKind.SUPERSEDED,
        "%s has ended or is gone; group %s was not switched over"
            .formatted(change().subject(), group.group()));
  }

  private RuntimeException failure(FaultKind kind, PodState pod, String why) {
    return Faults.of(
        kind,
        "pod %s is still the primary of group %s: %s".formatted(pod.name(), group.group(), why));
  }

  private ChangeRef change() {
    return group.change();
  }
}
