package io.middleware.engine.agent.redis;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;
import static java.util.stream.Collectors.joining;

import io.middleware.engine.agent.order.NumberedName;
import io.middleware.engine.agent.redis.ReplicationState.Link;
import io.middleware.engine.agent.replication.BestCopy;
import io.middleware.engine.agent.replication.GroupCopy;
import io.middleware.engine.agent.replication.ReplicationMark;
import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The replication states of a group at one moment, as one of its pods reads them. The first rule
 * that applies decides what this pod does next:
 *
 * <ol>
 *   <li>One primary: follow it.
 *   <li>Several primaries: the one whose mark says that it is the primary of the highest epoch
 *       stays. The others yield: nobody knows their promotion, and what they were written since is
 *       lost.
 *   <li>No primary, but a switchover is running, or a pod is connected to an unknown primary, or is
 *       copying data, which it has only when the copy has ended: wait.
 *   <li>No primary, and a pod of the group does not answer, or its agent has not reported its mark
 *       since the start of its Redis: wait, because it may have more writes. A Redis that loads its
 *       data does not answer.
 *   <li>No primary, and all pods answer: the pod with the {@link BestCopy} becomes primary. A new
 *       group therefore begins with number 0.
 * </ol>
 *
 * Invariant: a pod becomes primary only when all pods of the group report that they are not. Redis
 * starts as a replica without a primary, so a restart never makes a primary.
 *
 * <p>A pod that an earlier Plugin started has no mark, and its agent decides without any. While
 * there is one, all agents do so, and leave several primaries to people.
 *
 * @param self the name of the pod that decides
 * @param states of the pods that answered
 */
record GroupSnapshot(String self, Map<RedisPeer, ReplicationState> states) {
  private static final int LINEAGE_BYTES = 4;

  private static final Comparator<ReplicationState> RIGHTFUL_FIRST =
      comparing(ReplicationState::isEstablished, reverseOrder())
          .thenComparing(state -> state.mark().epoch(), reverseOrder())
          .thenComparing(state -> state.history().empty())
          .thenComparing(state -> state.followers().size(), reverseOrder());

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

  /** Whether all expected pods answer, and one is the primary: no other one can come back. */
  boolean isOnePrimaryOf(int expected) {
    return primaries().size() == 1 && isComplete(expected);
  }

  MembershipStep next(IntSupplier expected) {
    var primaries = primaries();
    return switch (primaries.size()) {
      case 0 -> withoutPrimary(expected.getAsInt());
      case 1 -> follow(primaries.getFirst());
      default -> settle(primaries);
    };
  }

  /** The mark of a pod that becomes primary. */
  ReplicationMark nextPrimary(ReplicationMark own) {
    var lineage = Optional.of(BestCopy.lineage(copies(Integer.MAX_VALUE, true)));
    var marks = states.values().stream().map(ReplicationState::mark);
    return new ReplicationMark(
        lineage.filter(one -> !one.isEmpty()).orElseGet(GroupSnapshot::newLineage),
        Stream.concat(marks, Stream.of(own))
                .filter(mark -> mark.lineage().equals(lineage.get()))
                .mapToLong(ReplicationMark::epoch)
                .max()
                .orElse(0)
            + 1,
        Standing.PRIMARY,
        "",
        0);
  }

  private static String newLineage() {
    var bytes = new byte[LINEAGE_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private MembershipStep settle(List<RedisPeer> primaries) {
    var isSelfOne = primaries.stream().anyMatch(peer -> peer.pod().equals(self));
    if (!isSelfOne || !isMarked()) {
      return new MembershipStep.Await("more than one primary: " + names(primaries));
    }
    var rightful = primaries.stream().min(comparing(states::get, RIGHTFUL_FIRST)).orElseThrow();
    return rightful.pod().equals(self)
        ? new MembershipStep.Stay()
        : new MembershipStep.Yield(rightful);
  }

  private boolean isMarked() {
    return states.values().stream().allMatch(state -> state.names().identity().isPresent());
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
    return isMarked() ? afterMarks(expected) : election(expected);
  }

  private MembershipStep afterMarks(int expected) {
    var silent =
        states.entrySet().stream()
            .filter(one -> one.getValue().names().mark().isEmpty())
            .map(Map.Entry::getKey)
            .sorted(RedisPeer.BY_NUMBER)
            .toList();
    return silent.isEmpty()
        ? election(expected)
        : new MembershipStep.Await("the marks that the agents report of " + names(silent));
  }

  private MembershipStep election(int expected) {
    var best = BestCopy.of(copies(expected, isMarked()));
    if (best.isEmpty()) {
      return new MembershipStep.Await("a pod with data of its own group: restore a backup");
    }
    return best.get().number() == ownNumber()
        ? new MembershipStep.Promote()
        : new MembershipStep.Await("the promotion of the pod with the best copy");
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

  private List<GroupCopy> copies(int expected, boolean withMarks) {
    return states.entrySet().stream()
        .filter(one -> one.getKey().number() < expected)
        .map(
            one ->
                new GroupCopy(
                    one.getKey().number(),
                    one.getValue().history(),
                    withMarks ? one.getValue().mark() : ReplicationMark.NONE))
        .toList();
  }

  private long ownNumber() {
    return NumberedName.of(self).number();
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
