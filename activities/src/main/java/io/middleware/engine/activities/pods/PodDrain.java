package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.agents.ActionOutcome;
import io.middleware.engine.activities.agents.AgentActions.ActionCall;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.pods.PodReplacement.Cluster;
import io.middleware.engine.activities.status.EngineEvent;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.proto.tool.v1.Drained;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import java.util.Optional;

/**
 * Drains pods that are to go for good, one after the other. They go also when nobody can drain
 * them: a group must be able to get smaller.
 */
final class PodDrain {
  private final Cluster cluster;
  private final DrainRequest request;
  private final String step;

  /**
   * @param step names the step for agents, the same when it is repeated
   */
  PodDrain(Cluster cluster, DrainRequest request, String step) {
    this.cluster = cluster;
    this.request = request;
    this.step = step;
  }

  void run() {
    for (var pod : request.pods()) {
      var app = cluster.gate().pass(request.group().task().change());
      seen(pod).ifPresent(ready -> drain(app, ready));
    }
  }

  private Optional<PodState> seen(LeavingPod leaving) {
    return cluster.view().pods(AppKey.of(request.group().task().change())).stream()
        .filter(pod -> pod.uid().equals(leaving.uid()))
        .filter(pod -> pod.isReady() && pod.ip().isPresent())
        .findFirst();
  }

  private void drain(App app, PodState pod) {
    var errand = new ActionCall(request.agents(), pod, "%s/drain/%s".formatted(step, pod.uid()));
    switch (drained(errand)) {
      case ActionOutcome.Done<?> done -> {}
      case ActionOutcome.Unknown<?> nothingToDo -> {}
      case ActionOutcome.Refused<?>(var why) ->
          throw Faults.of(
              FaultKind.AGENT_REFUSED,
              "pod %s is to leave group %s and was not touched: %s"
                  .formatted(pod.name(), request.group().group(), why));
      case ActionOutcome.Unanswered<?>(var why) ->
          warn(app, pod, "pod %s leaves without being drained: %s".formatted(pod.name(), why));
    }
  }

  private ActionOutcome<Drained> drained(ActionCall errand) {
    var following = AgentActionProgress.of(cluster, request.group().task().change());
    var outcome = cluster.actions().drain(errand, following);
    following.done();
    return outcome;
  }

  private void warn(App app, PodState pod, String note) {
    cluster
        .events()
        .record(
            app,
            new EngineEvent(
                "drain/" + pod.uid(), EngineEvent.Kind.WARNING, "PodNotDrained", "Drain", note));
  }
}
