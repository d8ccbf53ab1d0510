package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Puts configuration in force without a restart. */
@ActivityInterface
public interface ConfigurationActivities {

  /**
   * Has the agents of a group's pods reload the Hot parameters of the Group as it stands: pods that
   * are ready in the agents' order for updates, those that are not as soon as they are. A pod that
   * has them in force already answers at once, so it may be repeated. Heartbeats which pod it is
   * at, and ends early when cancelled.
   *
   * <p>Fails with kind AGENT_REFUSED, naming the pod, when its agent refuses or does not have in
   * force what was asked; with AGENTS_UNAVAILABLE when it does not answer; with SUPERSEDED when
   * another run has claimed the App. Pods that come after it are not asked then.
   */
  @ActivityMethod
  Reload reload(ReloadRequest request);

  /**
   * @param workload what {@link ResourceActivities#applyGroup} left
   */
  record ReloadRequest(GroupRef group, AppliedGroup workload) {}

  /**
   * What came of it: all that was asked is in force.
   *
   * @param degraded why the order is not the agents' own; empty when it is
   */
  record Reload(String degraded) {}
}
