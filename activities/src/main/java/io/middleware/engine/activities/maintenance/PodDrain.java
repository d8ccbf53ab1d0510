package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.BudgetedEviction;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.ActionOutcome;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.LastPrimaries;
import io.middleware.engine.proto.tool.v1.Drained;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import io.middleware.engine.workflows.port.Preparation;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Prepares pods that are about to be taken away.
 *
 * <ol>
 *   <li>Wait until none of them has a volume claim that is being deleted ({@link KeptVolumes}).
 *   <li>Drain those that are removed for good, one after the other, each once the checks before it
 *       hold ({@link StopChecks}). Pods whose agents do not answer are removed without it: a group
 *       must always be able to shrink. So are pods of a group that is removed as a whole, whose
 *       agents may find nobody to take over, if their data stay on the volumes. But first a primary
 *       among them switches over ({@link LeavingPrimary}).
 *   <li>Make the data durable of those with which the last copy goes ({@link GroupPersistence}).
 * </ol>
 */
public final class PodDrain {
  private final PodStepContext context;
  private final AgentQueries queries;
  private final AgentActions actions;
  private final DrainRequest request;
  private final String step;
  private final LeavingPrimary primary;

  /**
   * @param step names the step for agents; the same when the step is repeated
   */
  public PodDrain(
      PodStepContext context,
      AgentQueries queries,
      LastPrimaries lastPrimaries,
      AgentActions actions,
      DrainRequest request,
      String step) {
    this.context = context;
    this.queries = queries;
    this.actions = actions;
    this.request = request;
    this.step = step;
    this.primary =
        new LeavingPrimary(
            context, new LeavingRoles(queries, lastPrimaries, request), actions, request, step);
  }

  /**
   * @param drained is told the name of each pod that is done with
   */
  public void run(Consumer<String> drained) {
    if (request.preparations().contains(Preparation.KEEP_VOLUMES)) {
      new KeptVolumes(context, request).await();
    }
    if (request.preparations().contains(Preparation.DRAIN)) {
      drain(drained);
    }
    if (request.preparations().contains(Preparation.PERSIST)) {
      new GroupPersistence(context, queries, actions, request, step).run();
    }
  }

  private void drain(Consumer<String> drained) {
    var pods = request.pods(Preparation.DRAIN);
    pods.forEach(this::awaitMayStop);
    primary.switchOver(pods);
    for (var pod : pods) {
      awaitMayStop(pod);
      primary.switchOver(List.of(pod)); // it may have become the primary meanwhile
      var app = context.gate().pass(request.group().task().change());
      observed(pod).ifPresent(ready -> drain(app, ready));
      drained.accept(pod.name());
    }
  }

  /** Not of a pod that goes with its whole group. */
  private void awaitMayStop(LeavingPod leaving) {
    if (isWhole()) {
      return;
    }
    var eviction = new BudgetedEviction(context, request.group());
    var isHeld = true;
    while (isHeld) {
      var app = context.gate().passWithSpec(request.group().change());
      isHeld = observed(leaving).flatMap(pod -> eviction.held(app, pod)).isPresent();
    }
    eviction.done();
  }

  private boolean isWhole() {
    return request.group().task().type() == ChangeType.REMOVE;
  }

  private Optional<PodState> observed(LeavingPod leaving) {
    return observed(context.view().pods(AppKey.of(request.group().task().change())), leaving);
  }

  /** The pod as it is now, if an agent in it can act. */
  static Optional<PodState> observed(List<PodState> pods, LeavingPod leaving) {
    return pods.stream()
        .filter(pod -> pod.uid().equals(leaving.uid()))
        .filter(pod -> pod.isReady() && pod.ip().isPresent())
        .findFirst();
  }

  private void drain(App app, PodState pod) {
    if (isWhole() && acceptsDataLoss(app)) {
      undrained(app, pod, "as the App accepts that its data are lost");
      return;
    }
    var call = new ActionCall(request.agents(), pod, "%s/drain/%s".formatted(step, pod.uid()));
    switch (drained(call)) {
      case ActionOutcome.ActionDone<?> done ->
          context
              .reporter()
              .event(
                  app,
                  "PodDrained",
                  "Drain",
                  pod,
                  "pod %s is drained by its agent; it is removed next".formatted(pod.name()));
      case ActionOutcome.ActionUnknown<?> nothingToDo -> {}
      case ActionOutcome.ActionRefused<?>(var why) -> refused(app, pod, why);
      case ActionOutcome.ActionUnanswered<?>(var why) ->
          context
              .reporter()
              .notDrained(
                  app, pod, "pod %s is removed without a drain: %s".formatted(pod.name(), why));
    }
  }

  private void refused(App app, PodState pod, String why) {
    if (isWhole() && (acceptsDataLoss(app) || !app.getSpec().deletesVolumesOfRemovedParts())) {
      undrained(app, pod, "which its agent refuses: " + why);
      return;
    }
    throw Faults.of(
        FaultKind.AGENT_REFUSED,
        "pod %s is to be removed from group %s, but its agent refuses to drain it; the pod was not touched: %s%s"
            .formatted(
                pod.name(),
                request.group().group(),
                why,
                isWhole()
                    ? "; to remove it with its data, annotate the App with %s: \"%d\""
                        .formatted(
                            Labels.ACCEPT_DATA_LOSS, request.group().task().change().generation())
                    : ""));
  }

  /** Whether nobody of its group stays, who could take over. */
  private boolean acceptsDataLoss(App app) {
    return app.acceptsDataLoss(request.group().task().change().generation());
  }

  private void undrained(App app, PodState pod, String why) {
    context
        .reporter()
        .notDrained(
            app,
            pod,
            "pod %s goes with its whole group and is removed without a drain, %s"
                .formatted(pod.name(), why));
  }

  private ActionOutcome<Drained> drained(ActionCall call) {
    var progress = AgentActionProgress.of(context, request.group().task().change());
    var outcome = actions.drain(call, progress);
    progress.done();
    return outcome;
  }
}
