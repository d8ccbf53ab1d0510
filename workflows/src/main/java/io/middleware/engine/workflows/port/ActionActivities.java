package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.Optional;

/** Runs actions of Plugins. */
@ActivityInterface
public interface ActionActivities {

  /**
   * Has the agents of a group's pods run the Operation's action, on the pods that the Plugin says
   * and in the agents' order, one after the other. Waits for pods that are not ready and for agents
   * that do not answer, and while the App is paused. Heartbeats with the pod it works on, and ends
   * early when cancelled, which terminates the action.
   *
   * <p>What is done on each pod is kept in the Operation's status. So a repeat leaves out the pods
   * where the action is done, and attaches to it where it is running. An agent that has terminated
   * it meanwhile, as no call was left, or was restarted, runs it again.
   *
   * <p>Fails with kind ACTION_FAILED when the action fails on a pod, with AGENT_REFUSED when an
   * agent refuses it; later pods are not asked then.
   */
  @ActivityMethod
  ActionsRun runAction(GroupRef group);

  /**
   * The result: the action is done on all pods that it is to run on.
   *
   * @param degraded why the order was not the agents' own; empty when it was
   */
  record ActionsRun(Optional<String> degraded) {}
}
