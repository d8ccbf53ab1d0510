package io.middleware.engine.activities.maintenance;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import java.util.List;

/**
 * Has a pod make its data durable before it is replaced, where so few others are ready that no copy
 * may be left running.
 */
public final class LastCopy {
  private final PodStepContext context;
  private final ReplaceRequest request;
  private final AgentActions actions;
  private final DurableData data;
  private final DataLoss loss;

  /**
   * @param step names the step for agents; the same when the step is repeated
   */
  public LastCopy(
      PodStepContext context, AgentActions actions, ReplaceRequest request, String step) {
    this.context = context;
    this.request = request;
    this.actions = actions;
    this.data = new DurableData(context, actions, request.agents(), request.change(), step);
    this.loss = new DataLoss(context, request.change());
  }

  /** Whether the pod must be asked first: all that are ready besides may be replaced with it. */
  public boolean isDue(App app, StatefulSet set, PodState pod) {
    var others =
        context.view().podsOf(AppKey.of(request.change()), set).stream()
            .filter(other -> !other.uid().equals(pod.uid()) && other.isReady())
            .count();
    return actions.hasAgent(request.agents(), pod)
        && others < request.batchSize()
        && pod.isRunning()
        && pod.ip().isPresent()
        && !loss.isAccepted(app);
  }

  /** Whether the pod may go now; returns after a while when it may not. */
  public boolean isDurable(App app, PodState pod) {
    var problem = data.persist(List.of(pod)).get(pod).problem();
    problem.ifPresent(why -> loss.refuse(app, pod.uid(), loss.notDurable(pod, why)));
    return problem.isEmpty();
  }

  /** The pod stays for now, and takes writes again. */
  public void resume(PodState pod) {
    data.resume(List.of(pod));
  }

  /** The pod is gone. */
  public void done() {
    loss.done();
  }
}
