package io.middleware.engine.simulator.agents;

import io.middleware.engine.agent.replication.GroupMember;
import io.middleware.engine.agent.replication.PrimaryElection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A replication group as its pods were last seen, and who is primary of it; read by all calls. */
final class SimulatedGroup {
  private record Seen(List<SimulatedPod> pods, PrimaryElection primacy) {}

  private volatile Seen seen = new Seen(List.of(), PrimaryElection.NONE);

  /** By uid, the pods that switched over since they were promoted: that does not count any more. */
  private final Set<String> steppedDown = new HashSet<>();

  /** What came of asking a pod to switch over. */
  sealed interface SimulatedSwitchover {
    record Done(SimulatedPod to, SimulatedPod from) implements SimulatedSwitchover {}

    record NotPrimary() implements SimulatedSwitchover {}

    record NobodyReady() implements SimulatedSwitchover {}
  }

  /** Takes in all pods of the group and answers who is primary now. */
  synchronized Optional<GroupMember> observe(List<SimulatedPod> pods) {
    var members = pods.stream().map(SimulatedPod::member).toList();
    steppedDown.retainAll(members.stream().filter(GroupMember::promoted).map(GroupMember::uid).toList());
    var primacy = seen.primacy().after(members.stream().map(this::standing).toList());
    seen = new Seen(List.copyOf(pods), primacy);
    return primacy.primary();
  }

  /** Makes another ready pod the primary, where the pod of this uid is it. */
  synchronized SimulatedSwitchover switchover(String uid) {
    var before = seen.primacy();
    if (!before.isPrimary(uid)) {
      return new SimulatedSwitchover.NotPrimary();
    }
    var after = before.switchedOver(seen.pods().stream().map(SimulatedPod::member).toList());
    if (after.isEmpty()) {
      return new SimulatedSwitchover.NobodyReady();
    }
    steppedDown.add(uid);
    seen = new Seen(seen.pods(), after.get());
    var successor = after.get().primary().orElseThrow().uid();
    return new SimulatedSwitchover.Done(pod(successor).orElseThrow(), pod(uid).orElseThrow());
  }

  Optional<GroupMember> primary() {
    return seen.primacy().primary();
  }

  boolean isPrimary(String uid) {
    return seen.primacy().isPrimary(uid);
  }

  AgentFault faultOf(String uid) {
    return pod(uid).map(SimulatedPod::fault).orElse(AgentFault.NONE);
  }

  Optional<SimulatedPod> pod(String uid) {
    return seen.pods().stream().filter(pod -> pod.uid().equals(uid)).findFirst();
  }

  private GroupMember standing(GroupMember member) {
    return steppedDown.contains(member.uid()) ? member.notPromoted() : member;
  }
}
