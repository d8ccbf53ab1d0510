package io.middleware.engine.agent.redis;

import static java.util.stream.Collectors.joining;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;

/**
 * A group as its members described themselves at one moment, seen by one of them.
 *
 * <ol>
 *   <li>One primary: follow it.
 *   <li>Several: do nothing, as nobody here knows whose writes to drop.
 *   <li>None, but somebody switches over, or hears from a primary that is not seen here: wait.
 *   <li>None, and a pod that the group is to have does not answer: wait, as it may have more.
 *   <li>None, and all answer: the one with most of the history becomes primary, the lowest number
 *       among equals; so a new group begins with number 0.
 * </ol>
 *
 * Invariant: a pod becomes primary only when all pods of the group said that they are not. Redis is
 * started as a replica of nobody, so a restart never makes a primary.
 */
record GroupSnapshot(String self, Map<RedisPeer, ReplicationState> answers) {
  private static final Comparator<Map.Entry<RedisPeer, ReplicationState>> MOST_HISTORY =
      Comparator.<Map.Entry<RedisPeer, ReplicationState>>comparingLong(one -> one.getValue().offset())
          .reversed()
          .thenComparing(Map.Entry::getKey, RedisPeer.BY_NUMBER);

  GroupSnapshot {
    answers = Map.copyOf(answers);
  }

  List<RedisPeer> primaries() {
    return answers.keySet().stream()
        .filter(peer -> answers.get(peer).primary())
        .sorted(RedisPeer.BY_NUMBER)
        .toList();
  }

  /** Whether all pods that the group is to have answered. */
  boolean isComplete(int expected) {
    return silent(expected).isEmpty();
  }

  MembershipStep next(IntSupplier expected) {
    var primaries = primaries();
    return switch (primaries.size()) {
      case 0 -> withoutPrimary(expected.getAsInt());
      case 1 -> behind(primaries.getFirst());
      default -> new MembershipStep.Await("more than one primary: " + names(primaries));
    };
  }

  private MembershipStep behind(RedisPeer primary) {
    var settled =
        primary.pod().equals(self)
            || mine().filter(state -> state.follows(primary.address())).isPresent();
    return settled ? new MembershipStep.Stay() : new MembershipStep.Follow(primary);
  }

  private MembershipStep withoutPrimary(int expected) {
    var silent = silent(expected);
    if (expected == 0) {
      return new MembershipStep.Await("the number of pods of the group");
    } else if (answers.values().stream().anyMatch(ReplicationState::failingOver)) {
      return new MembershipStep.Await("a switchover under way");
    } else if (answers.values().stream().anyMatch(this::hearsAnother)) {
      return new MembershipStep.Await("a primary that others hear of");
    } else if (!silent.isEmpty()) {
      return new MembershipStep.Await("pods that do not answer: " + silent);
    }
    return candidate(expected).filter(peer -> peer.pod().equals(self)).isPresent()
        ? new MembershipStep.Promote()
        : new MembershipStep.Await("the pod with most of the history");
  }

  /** It gets news from a Redis that is none of those that answered here as replicas. */
  private boolean hearsAnother(ReplicationState state) {
    return state.linkUp()
        && answers.keySet().stream().noneMatch(peer -> peer.address().equals(state.master()));
  }

  private List<Long> silent(int expected) {
    var heard = new HashSet<Long>();
    answers.keySet().forEach(peer -> heard.add(peer.number()));
    return LongStream.range(0, expected).filter(n -> !heard.contains(n)).boxed().toList();
  }

  private Optional<RedisPeer> candidate(int expected) {
    return answers.entrySet().stream()
        .filter(one -> one.getKey().number() < expected)
        .min(MOST_HISTORY)
        .map(Map.Entry::getKey);
  }

  private Optional<ReplicationState> mine() {
    return answers.entrySet().stream()
        .filter(one -> one.getKey().pod().equals(self))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static String names(List<RedisPeer> peers) {
    return peers.stream().map(RedisPeer::pod).collect(joining(", "));
  }
}
