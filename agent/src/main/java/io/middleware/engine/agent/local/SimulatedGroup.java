package io.middleware.engine.agent.local;

import io.middleware.engine.agent.replication.Member;
import io.middleware.engine.agent.replication.Primacy;
import io.middleware.engine.agent.replication.Replication;
import io.middleware.engine.agent.replication.Role;
import java.util.List;
import java.util.Optional;

/** A replication group as its pods were last seen; written by one thread, read by all calls. */
final class SimulatedGroup {
  private record Seen(List<SimulatedPod> pods, Primacy primacy) {}

  private volatile Seen seen = new Seen(List.of(), Primacy.NONE);

  /** Takes in all pods of the group and answers who is primary now. */
  Optional<Member> observe(List<SimulatedPod> pods) {
    var primacy = seen.primacy().after(pods.stream().map(SimulatedPod::member).toList());
    seen = new Seen(List.copyOf(pods), primacy);
    return primacy.primary();
  }

  Optional<Member> primary() {
    return seen.primacy().primary();
  }

  Fault faultOf(String uid) {
    return seen.pods().stream()
        .filter(pod -> pod.uid().equals(uid))
        .findFirst()
        .map(SimulatedPod::fault)
        .orElse(Fault.NONE);
  }

  Replication seenBy(String uid) {
    return new Replication() {
      @Override
      public Role role() {
        return seen.primacy().isPrimary(uid) ? Role.PRIMARY : Role.REPLICA;
      }

      @Override
      public Optional<String> primary() {
        return seen.primacy().primary().map(Member::pod);
      }
    };
  }
}
