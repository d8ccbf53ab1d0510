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
record GroupLook(String self, Map<Peer, ReplicationState> answers) {
  private static final Comparator<Map.Entry<Peer, ReplicationState>> MOST_HISTORY =
      Comparator.<Map.Entry<Peer, ReplicationState>>comparingLong(one -> one.getValue().offset())
          .reversed()
          .thenComparing(Map.Entry::getKey, Peer.BY_NUMBER);

  GroupLook {
    answers = Map.copyOf(answers);
  }

  List<Peer> primaries() {
    return answers.keySet().stream()
        .filter(peer -> answers.get(peer).primary())
        .sorted(Peer.BY_NUMBER)
        .toList();
  }

  /** Whether all pods that the group is to have answered. */
  boolean isComplete(int expected) {
    return silent(expected).isEmpty();
  }

  Step next(IntSupplier expected) {
    var primaries = primaries();
    return switch (primaries.size()) {
      case 0 -> withoutPrimary(expected.getAsInt());
      case 1 -> behind(primaries.getFirst());
      default -> new Step.Await("more than one primary: " + names(primaries));
    };
  }

  private Step behind(Peer primary) {
    var settled =
        primary.pod().equals(self)
            || mine().filter(state -> state.follows(primary.address())).isPresent();
    return settled ? new Step.Stay() : new Step.Follow(primary);
  }

  private Step withoutPrimary(int expected) {
    var silent = silent(expected);
    if (expected == 0) {
      return new Step.Await("the number of pods of the group");
    } else if (answers.values().stream().anyMatch(ReplicationState::failingOver)) {
      return new Step.Await("a switchover under way");
    } else if (answers.values().stream().anyMatch(this::hearsAnother)) {
      return new Step.Await("a primary that others hear of");
    } else if (!silent.isEmpty()) {
      return new Step.Await("pods that do not answer: " + silent);
    }
    return candidate(expected).filter(peer -> peer.pod().equals(self)).isPresent()
        ? new Step.Promote()
        : new Step.Await("the pod with most of the history");
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

  private Optional<Peer> candidate(int expected) {
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

  private static String names(List<Peer> peers) {
    return peers.stream().map(Peer::pod).collect(joining(", "));
  }
}
