package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.time.Duration;

/** The steps of Operations that no change has. Each may be repeated, and does its work once. */
@ActivityInterface
public interface OperationActivities {

  /**
   * Hands the primary of a group over: to the pod that the Operation names, otherwise to one that
   * the middleware chooses. Waits while the App is paused. A repeat finds in the Operation's status
   * which pod was the primary before, and does not hand over again.
   *
   * <p>Fails with kind AGENT_REFUSED when the group has no primary, its agent refuses or cannot, or
   * makes another pod the primary than the named one; with kind AGENTS_UNAVAILABLE when agents do
   * not answer.
   */
  @ActivityMethod
  void switchOver(GroupRef group);

  /**
   * Rebuilds the replicas of a group that the Operation names: one after the other, their pods are
   * removed together with their volumes, and are ready again. Waits while the App is paused. A
   * repeat finds in the Operation's status what was to go, and deletes nothing else.
   *
   * <p>Fails with kind REFUSED when one of them is the primary, or another pod of the group is not
   * ready. Nothing of that pod is deleted then, unless a step before has begun to.
   */
  @ActivityMethod
  void rebuild(GroupRef group);

  /**
   * How a rotation goes on.
   *
   * @param grace how long the earlier secrets stay
   */
  record SecretsPublished(Duration grace) {}

  /**
   * Adds a new value beside each secret of the component that is generated. Waits until all pods
   * that use it accept both, publishes the new one, and waits until they use it themselves. Waits
   * while the App is paused. A repeat goes on with the values that were added, and publishes once.
   *
   * <p>Fails with kind AGENT_REFUSED when an agent cannot rotate secrets, with kind INVALID when a
   * Secret is missing.
   */
  @ActivityMethod
  SecretsPublished publishSecrets(TaskRef task);

  /**
   * Takes the earlier secrets away, and waits until no pod accepts them any more. Waits while the
   * App is paused. May be repeated. Fails like {@link #publishSecrets}.
   */
  @ActivityMethod
  void retireSecrets(TaskRef task);
}
