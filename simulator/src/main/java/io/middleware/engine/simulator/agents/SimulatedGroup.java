package io.middleware.engine.simulator.agents;

import io.middleware.engine.agent.replication.GroupMember;
import io.middleware.engine.agent.replication.PrimaryElection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The last observed pods of a replication group and its primary; read by all calls. */
final class SimulatedGroup {
  private record Observation(List<SimulatedPod> pods, PrimaryElection election) {}

  private volatile Observation observed = new Observation(List.of(), PrimaryElection.NONE);

  /** Uids of pods that switched over after their promotion, which therefore no longer counts. */
  private final Set<String> usedPromotions = new HashSet<>();

  /** The result of a requested switchover. */
  sealed interface SimulatedSwitchover {
    record Done(SimulatedPod to, SimulatedPod from) implements SimulatedSwitchover {}

    /** Nothing to do. */
    record NotPrimary() implements SimulatedSwitchover {}

    record NoReadyPod() implements SimulatedSwitchover {}
  }

  /** Updates the pods of the group and returns the primary. */
  synchronized Optional<GroupMember> observe(List<SimulatedPod> pods) {
    var members = pods.stream().map(SimulatedPod::member).toList();
    usedPromotions.retainAll(
        members.stream().filter(GroupMember::promoted).map(GroupMember::uid).toList());
    var election =
        observed.election().after(members.stream().map(this::withoutUsedPromotion).toList());
    observed = new Observation(List.copyOf(pods), election);
    return election.primary();
  }

  /**
   * Makes another ready pod the primary if the pod with this uid is the primary.
   *
   * @param successor name of the pod that is to be the primary; empty for any
   */
  synchronized SimulatedSwitchover switchover(String uid, Optional<String> successor) {
    var before = observed.election();
    if (!before.isPrimary(uid) || before.primary().map(GroupMember::pod).equals(successor)) {
      return new SimulatedSwitchover.NotPrimary();
    }
    var after =
        before.switchedOver(observed.pods().stream().map(SimulatedPod::member).toList(), successor);
    if (after.isEmpty()) {
      return new SimulatedSwitchover.NoReadyPod();
    }
    usedPromotions.add(uid);
    observed = new Observation(observed.pods(), after.get());
    var next = after.get().primary().orElseThrow().uid();
    return new SimulatedSwitchover.Done(pod(next).orElseThrow(), pod(uid).orElseThrow());
  }

  Optional<GroupMember> primary() {
    return observed.election().primary();
  }

  boolean isPrimary(String uid) {
    return observed.election().isPrimary(uid);
  }

  AgentFault faultOf(String uid) {
    return pod(uid).map(SimulatedPod::fault).orElse(AgentFault.NONE);
  }

  Optional<SimulatedPod> pod(String uid) {
    return observed.pods().stream().filter(pod -> pod.uid().equals(uid)).findFirst();
  }

  private GroupMember withoutUsedPromotion(GroupMember member) {
    return usedPromotions.contains(member.uid()) ? member.notPromoted() : member;
  }
}
