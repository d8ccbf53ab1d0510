package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNullElse;

import java.util.List;

/**
 * What applying a group's objects left behind; or the pods that must be drained before.
 *
 * @param workload name of the StatefulSet, empty when the group has none
 * @param workloadGeneration its {@code metadata.generation} after the write, 0 when there is none
 * @param workloadUid tells it from one of its name that it has replaced; empty when that is unknown
 * @param leaving pods to drain, in this order; nothing was written then, and nothing else is said
 * @param agents of these pods
 * @param reload whether its running pods have to reload their configuration; not in a history from
 *     before they could
 * @param keepsPods whether pods that are out of date stay as they are, since it is not the task
 *     that has made them so; not when nothing is said
 */
public record AppliedGroup(
    String workload,
    long workloadGeneration,
    String workloadUid,
    List<LeavingPod> leaving,
    AgentEndpoint agents,
    boolean reload,
    boolean keepsPods) {
  public AppliedGroup {
    workloadUid = requireNonNullElse(workloadUid, "");
    leaving = List.copyOf(requireNonNullElse(leaving, List.of()));
    agents = requireNonNullElse(agents, AgentEndpoint.NONE);
  }

  /** Applied. */
  public AppliedGroup(String workload, long workloadGeneration, String workloadUid) {
    this(workload, workloadGeneration, workloadUid, List.of(), AgentEndpoint.NONE, false, false);
  }

  /** Of no workload, or of one that no other can be taken for. */
  public AppliedGroup(String workload, long workloadGeneration) {
    this(workload, workloadGeneration, "");
  }

  /** Nothing is applied yet. */
  public static AppliedGroup notBefore(List<LeavingPod> leaving, AgentEndpoint agents) {
    return new AppliedGroup("", 0, "", leaving, agents, false, false);
  }

  /** The same, to be reloaded if that is wanted and there is a StatefulSet. */
  public AppliedGroup reloading(boolean wanted) {
    return new AppliedGroup(
        workload,
        workloadGeneration,
        workloadUid,
        leaving,
        agents,
        wanted && !workload.isEmpty(),
        keepsPods);
  }

  /** The same, its pods kept if that is wanted. */
  public AppliedGroup keepingPods(boolean wanted) {
    return new AppliedGroup(
        workload, workloadGeneration, workloadUid, leaving, agents, reload, wanted);
  }

  /** Whether the StatefulSet of this uid is the one that was applied. */
  public boolean isOf(String uid) {
    return workloadUid.isEmpty() || workloadUid.equals(uid);
  }

  /** A pod that is to go for good. */
  public record LeavingPod(String name, String uid) {}
}
