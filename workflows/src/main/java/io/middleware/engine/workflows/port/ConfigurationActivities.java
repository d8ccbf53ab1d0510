package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.Optional;

/** Puts configuration in force without a restart. */
@ActivityInterface
public interface ConfigurationActivities {

  /**
   * Has the agents of a group's pods reload the Hot parameters of the Group as it is now: ready
   * pods in the agents' order for updates, other pods as soon as they are ready. A pod that has the
   * parameters in force already answers at once, so the step may be repeated. Heartbeats with the
   * pod it works on, and ends early when cancelled.
   *
   * <p>Fails with kind AGENT_REFUSED, naming the pod, when its agent refuses or the parameters are
   * not in force afterwards; with AGENTS_UNAVAILABLE when the agent does not answer; with
   * SUPERSEDED when another run holds the App's run lock. Later pods are not asked then.
   */
  @ActivityMethod
  Reload reload(ReloadRequest request);

  /**
   * @param statefulSet as {@link ResourceActivities#applyGroup} wrote it
   */
  record ReloadRequest(GroupRef group, AppliedStatefulSet statefulSet) implements ChangeStep {
    @Override
    public ChangeRef change() {
      return group.change();
    }
  }

  /**
   * The result: all requested parameters are in force.
   *
   * @param degraded why the order was not the agents' own; empty when it was
   */
  record Reload(Optional<String> degraded) {}
}
