package io.middleware.engine.agent.redis;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.agent.redis.ReplicationState.Link;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;

/**
 * The replication states of a group at one moment, as one of its pods reads them. The first rule
 * that applies decides what this pod does next:
 *
 * <ol>
 *   <li>One primary: follow it.
 *   <li>Several primaries: wait, because an agent cannot decide whose writes are lost.
 *   <li>No primary, but a switchover is running, or a pod is connected to an unknown primary, or is
 *       copying data, which it has only when the copy has ended: wait.
 *   <li>No primary, and a pod of the group does not answer: wait, because it may have more writes.
 *       A Redis that loads its data does not answer.
 *   <li>No primary, and all pods answer: a pod becomes primary. One with data goes before an empty
 *       one, because Redis may have forgotten its history, but not its data. Then goes the one with
 *       the most history, then the lowest number. A new group therefore begins with number 0.
 * </ol>
 *
 * Invariant: a pod becomes primary only when all pods of the group report that they are not. Redis
 * starts as a replica without a primary, so a restart never makes a primary.
 *
 * @param self the name of the pod that decides
 * @param states of the pods that answered
 */
record GroupSnapshot(String self, Map<RedisPeer, ReplicationState> states) {
  private static final Comparator<ReplicationState> DATA_FIRST =
      Comparator.comparing(state -> state.history().empty());
  private static final Comparator<Map.Entry<RedisPeer, ReplicationState>> BEST_FIRST =
      Map.Entry.<RedisPeer, ReplicationState>comparingByValue(
              DATA_FIRST.thenComparing(
                  Comparator.comparingLong(ReplicationState::offset).reversed()))
          .thenComparing(Map.Entry::getKey, RedisPeer.BY_NUMBER);

  GroupSnapshot {
    states = Map.copyOf(states);
  }

  List<RedisPeer> primaries() {
    return states.keySet().stream()
        .filter(peer -> states.get(peer).primary())
        .sorted(RedisPeer.BY_NUMBER)
        .toList();
  }

  /** Whether all expected pods of the group answered. */
  boolean isComplete(int expected) {
    return missingNumbers(expected).isEmpty();
  }

  MembershipStep next(IntSupplier expected) {
    var primaries = primaries();
    return switch (primaries.size()) {
      case 0 -> withoutPrimary(expected.getAsInt());
      case 1 -> follow(primaries.getFirst());
      default -> new MembershipStep.Await("more than one primary: " + names(primaries));
    };
  }

  private MembershipStep follow(RedisPeer primary) {
    var isFollowing =
        primary.pod().equals(self)
            || ownState().filter(state -> state.follows(primary.address())).isPresent();
    return isFollowing ? new MembershipStep.Stay() : new MembershipStep.Follow(primary);
  }

  private MembershipStep withoutPrimary(int expected) {
    var missing = missingNumbers(expected);
    if (expected == 0) {
      return new MembershipStep.Await("the number of pods in the group");
    } else if (states.values().stream().anyMatch(ReplicationState::failingOver)) {
      return new MembershipStep.Await("a running switchover");
    } else if (states.values().stream().anyMatch(this::hasUnknownPrimary)) {
      return new MembershipStep.Await("a primary that only other pods can reach");
    } else if (states.values().stream().anyMatch(state -> state.link() == Link.COPYING)) {
      return new MembershipStep.Await("the end of a copy");
    } else if (!missing.isEmpty()) {
      return new MembershipStep.Await("pods that do not answer: " + missing);
    }
    return candidate(expected).filter(peer -> peer.pod().equals(self)).isPresent()
        ? new MembershipStep.Promote()
        : new MembershipStep.Await("the promotion of the pod with the most history");
  }

  /** Whether the pod is connected to a primary that did not answer here. */
  private boolean hasUnknownPrimary(ReplicationState state) {
    return state.linkUp()
        && states.keySet().stream()
            .noneMatch(peer -> peer.address().equals(state.primaryAddress()));
  }

  private List<Long> missingNumbers(int expected) {
    var answered = new HashSet<Long>();
    states.keySet().forEach(peer -> answered.add(peer.number()));
    return LongStream.range(0, expected).filter(n -> !answered.contains(n)).boxed().toList();
  }

  private Optional<RedisPeer> candidate(int expected) {
    return states.entrySet().stream()
        .filter(one -> one.getKey().number() < expected)
        .min(BEST_FIRST)
        .map(Map.Entry::getKey);
  }

  private Optional<ReplicationState> ownState() {
    return states.entrySet().stream()
        .filter(one -> one.getKey().pod().equals(self))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static String names(List<RedisPeer> peers) {
    return peers.stream().map(RedisPeer::pod).collect(joining(", "));
  }
}
