package io.middleware.engine.workflows.port;

import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * Moves pods and waits for them. The methods wait, event driven, as long as they are given; they
 * heartbeat what they observed last and end early when cancelled. They fail with kind SUPERSEDED
 * when another run has claimed the App.
 */
@ActivityInterface
public interface PodActivities {

  /**
   * Evicts exactly this pod, if it is still there, and waits until its successor is up to date and
   * ready. A pod with another uid is never evicted.
   */
  @ActivityMethod
  void replacePod(ReplaceRequest request);

  /**
   * What the group's workload lacks at this moment; empty when {@link #awaitConverged} would
   * return.
   */
  @ActivityMethod
  String missing(ConvergeRequest request);

  /** Waits until the group's workload has the wanted pods, all of them up to date and ready. */
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
   * One pod of a group.
   *
   * @param batchSize pods of the group in work at once; a request that says nothing means 1
   */
  record ReplaceRequest(GroupRef group, AppliedGroup workload, OutdatedPod pod, int batchSize) {
    public ReplaceRequest {
      batchSize = Math.max(1, batchSize);
    }
  }

  /** A group and what was applied to it. */
  record ConvergeRequest(GroupRef group, AppliedGroup workload) {}
}
