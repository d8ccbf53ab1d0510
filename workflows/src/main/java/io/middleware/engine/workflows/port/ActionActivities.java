package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.TaskHook;
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
   * Has the agents of a group's pods run the action of a hook, with the defaults of its parameters,
   * in the same way. A hook that comes before its task leaves out pods that are not ready, as
   * nobody can prepare them, and tells so in an event. A group without pods has nothing to run on.
   *
   * <p>A repeat begins with the first pod again. An agent knows by the id of the step what it is
   * running or has run, and answers with that; one that was restarted runs it again.
   *
   * <p>Fails with kind HOOK_FAILED when the action fails on a pod, or an agent refuses it; later
   * pods are not asked then.
   */
  @ActivityMethod
  ActionsRun runHook(HookRequest request);

  /** A hook on one of its task's groups. */
  record HookRequest(GroupRef group, TaskHook hook) implements ChangeStep {
    @Override
    public ChangeRef change() {
      return group.change();
    }
  }

  /**
   * The result: the action is done on all pods that it is to run on.
   *
   * @param degraded why the order was not the agents' own; empty when it was
   */
  record ActionsRun(Optional<String> degraded) {}
}
