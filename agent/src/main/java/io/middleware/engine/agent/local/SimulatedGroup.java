package io.middleware.engine.agent.local;

import io.middleware.engine.agent.replication.Member;
import io.middleware.engine.agent.replication.Primacy;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A replication group as its pods were last seen, and who is primary of it; read by all calls. */
final class SimulatedGroup {
  private record Seen(List<SimulatedPod> pods, Primacy primacy) {}

  private volatile Seen seen = new Seen(List.of(), Primacy.NONE);

  /** By uid, the pods that handed over since they were promoted: that does not count any more. */
  private final Set<String> steppedDown = new HashSet<>();

  /** What came of asking a pod to hand over. */
  sealed interface HandOver {
    record Done(SimulatedPod to, SimulatedPod from) implements HandOver {}

    record NotPrimary() implements HandOver {}

    record NobodyReady() implements HandOver {}
  }

  /** Takes in all pods of the group and answers who is primary now. */
  synchronized Optional<Member> observe(List<SimulatedPod> pods) {
    var members = pods.stream().map(SimulatedPod::member).toList();
    steppedDown.retainAll(members.stream().filter(Member::promoted).map(Member::uid).toList());
    var primacy = seen.primacy().after(members.stream().map(this::standing).toList());
    seen = new Seen(List.copyOf(pods), primacy);
    return primacy.primary();
  }

  /** Makes another ready pod the primary, where the pod of this uid is it. */
  synchronized HandOver handOver(String uid) {
    var before = seen.primacy();
    if (!before.isPrimary(uid)) {
      return new HandOver.NotPrimary();
    }
    var after = before.handedOver(seen.pods().stream().map(SimulatedPod::member).toList());
    if (after.isEmpty()) {
      return new HandOver.NobodyReady();
    }
    steppedDown.add(uid);
    seen = new Seen(seen.pods(), after.get());
    var successor = after.get().primary().orElseThrow().uid();
    return new HandOver.Done(pod(successor).orElseThrow(), pod(uid).orElseThrow());
  }

  Optional<Member> primary() {
    return seen.primacy().primary();
  }

  boolean isPrimary(String uid) {
    return seen.primacy().isPrimary(uid);
  }

  Fault faultOf(String uid) {
    return pod(uid).map(SimulatedPod::fault).orElse(Fault.NONE);
  }

  Optional<SimulatedPod> pod(String uid) {
    return seen.pods().stream().filter(pod -> pod.uid().equals(uid)).findFirst();
  }

  private Member standing(Member member) {
    return steppedDown.contains(member.uid()) ? member.notPromoted() : member;
  }
}
