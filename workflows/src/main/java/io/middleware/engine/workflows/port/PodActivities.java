package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNullElse;

import io.middleware.engine.workflows.port.AppliedGroup.LeavingPod;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;
import java.util.Optional;

/**
 * Moves pods and waits for them. The methods wait, event driven, as long as they are given; they
 * heartbeat what they observed last and end early when cancelled. They fail with kind SUPERSEDED
 * when another run has claimed the App.
 */
@ActivityInterface
public interface PodActivities {

  /**
   * Evicts exactly this pod, if it is still there, and waits until its successor is up to date and
   * ready. A pod with another uid is never evicted. Nothing is touched when the order that made it
   * this pod's turn holds no more: the pod has another role now, or a broken one must go first.
   *
   * <p>With switchover a ready primary switches over before, so that the group is without one for
   * the shortest time. Fails with kind AGENT_REFUSED when it does not, with its agent's words, and
   * with AGENTS_UNAVAILABLE when its agent does not answer; nothing is touched then.
   */
  @ActivityMethod
  Replacement replacePod(ReplaceRequest request);

  /**
   * Asks the agents of pods that are to go for good to make them dispensable, one after the other.
   * Pods that are gone, or not ready, and agents that cannot or do not answer are passed over, the
   * last with an event. Fails with kind AGENT_REFUSED, in the agent's words, when one refuses.
   */
  @ActivityMethod
  void drain(DrainRequest request);

  /** Waits until the App is not paused. */
  @ActivityMethod
  void awaitResumed(TaskRef task);

  /**
   * What the group's workload lacks at this moment; empty when {@link #awaitConverged} would
   * return.
   */
  @ActivityMethod
  String missing(ConvergeRequest request);

  /**
   * Waits until the group's workload has the wanted pods, all of them up to date and ready, and no
   * other. Pods too many that are broken are deleted.
   */
  @ActivityMethod
  void awaitConverged(ConvergeRequest request);

  /** Waits until no pod of a removed group is left. */
  @ActivityMethod
  void awaitGone(GroupRef group);

  /**
   * What keeps the task's pods from being ready, in the pods' own words; empty when nothing does.
   */
  @ActivityMethod
  String blocker(TaskRef task);

  /**
   * Which pods of the component have at this moment what the task, or its rollback, is to bring,
   * and which have not. Pods of which nobody can say it, as their agents were to reload, are in
   * neither list.
   */
  @ActivityMethod
  Standing standing(TaskRef task);

  /**
   * Pods by name.
   *
   * @param current made from what the task, or its rollback, has written
   * @param outdated of groups that the task has not come to, or not touched by it
   * @param settled whether nothing of the task is left to do: whatever stops it comes too late
   */
  record Standing(List<String> current, List<String> outdated, boolean settled) {
    public Standing {
      current = List.copyOf(current);
      outdated = List.copyOf(outdated);
    }
  }

  /**
   * One pod of a group.
   *
   * @param batchSize pods of the group in work at once; a request that says nothing means 1
   * @param agents whom to ask for its role; nobody when nothing is said
   * @param lastOrder whether the pod is taken even if its order holds no more
   * @param switchover whether a primary switches over before; not when nothing is said
   */
  record ReplaceRequest(
      GroupRef group,
      AppliedGroup workload,
      OutdatedPod pod,
      int batchSize,
      AgentEndpoint agents,
      boolean lastOrder,
      boolean switchover) {
    public ReplaceRequest {
      batchSize = Math.max(1, batchSize);
      agents = requireNonNullElse(agents, AgentEndpoint.NONE);
    }
  }

  /**
   * Pods of a group.
   *
   * @param agents of these pods
   */
  record DrainRequest(GroupRef group, List<LeavingPod> pods, AgentEndpoint agents) {
    public DrainRequest {
      pods = List.copyOf(pods);
    }
  }

  /**
   * What came of it.
   *
   * @param stale why the order holds no more, and nothing was touched; empty when the pod is
   *     replaced
   */
  record Replacement(Optional<String> stale) {}

  /** A group and what was applied to it. */
  record ConvergeRequest(GroupRef group, AppliedGroup workload) {}
}
