package io.middleware.engine.agent.replication;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingLong;

import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The copy that a group without a primary goes on with. All pods of the group compute the same one
 * from the same copies.
 *
 * <ol>
 *   <li>A copy with data of the group goes before an empty one, because a server may have lost its
 *       files, but not invented data. A copy with data of another group never wins.
 *   <li>Then the lineage of the lowest number that has a mark counts: a group shrinks from its
 *       highest number, so marks of another lineage are on volumes that it has not used lately.
 *   <li>Then the highest epoch wins. A server that still knows the name of its history has the
 *       epoch of that name, because it may have started from an older file than the mark knows of.
 *       A name that nobody knows, beyond the end of the mark's epoch, is that of a primary that
 *       ended before it was marked, or of its replica: it comes after that epoch.
 *   <li>Within an epoch the farthest copy wins. A server that has forgotten its offset has at least
 *       the recorded one. Among such copies the primary goes first, then those that followed it to
 *       the end; the primary has all that any of them has.
 *   <li>Then the lowest number wins.
 * </ol>
 *
 * <p>Without any mark the offset decides.
 */
public final class BestCopy {
  private static final Comparator<GroupCopy> DATA_FIRST = comparing(one -> !one.hasData());
  private static final Comparator<GroupCopy> FARTHEST_FIRST =
      comparingLong(GroupCopy::offset).reversed().thenComparing(GroupCopy::number);
  private static final Comparator<GroupCopy> AS_MARKED =
      comparing((GroupCopy one) -> one.mark().standing()).thenComparing(FARTHEST_FIRST);

  private final String lineage;
  private final Map<String, Long> epochs = new HashMap<>();

  /** Where each epoch ends at least. */
  private final Map<Long, Long> ends = new HashMap<>();

  private BestCopy(Collection<GroupCopy> copies) {
    this.lineage = lineage(copies);
    copies.stream()
        .map(GroupCopy::mark)
        .filter(mark -> mark.isOf(lineage) && !mark.history().isEmpty())
        .forEach(mark -> epochs.merge(mark.history(), mark.epoch(), Math::max));
    copies.stream()
        .filter(copy -> copy.mark().isOf(lineage))
        .forEach(copy -> ends.merge(copy.mark().epoch(), knownOffset(copy), Math::max));
  }

  /** Empty when no copy may win. */
  public static Optional<GroupCopy> of(Collection<GroupCopy> copies) {
    return new BestCopy(copies).best(copies);
  }

  /** The lineage that counts among these copies; empty: none has a mark. */
  public static String lineage(Collection<GroupCopy> copies) {
    return copies.stream()
        .filter(one -> one.mark().isOf(one.mark().lineage()))
        .min(DATA_FIRST.thenComparing(GroupCopy::number))
        .map(one -> one.mark().lineage())
        .orElse("");
  }

  private Optional<GroupCopy> best(Collection<GroupCopy> copies) {
    var filled = copies.stream().filter(GroupCopy::hasData).toList();
    if (filled.isEmpty()) {
      return copies.stream().filter(one -> !one.mark().isForeign()).min(FARTHEST_FIRST);
    }
    var latest = filled.stream().mapToLong(this::rank).max().orElseThrow();
    return farthest(filled.stream().filter(one -> rank(one) == latest).toList());
  }

  /** Twice the epoch; odd between two of them. */
  private long rank(GroupCopy copy) {
    var history = copy.history();
    if (!copy.isForgetful() && epochs.containsKey(history.id())) {
      return 2 * epochs.get(history.id());
    } else if (!copy.isForgetful() && epochs.containsKey(history.before())) {
      return 2 * epochs.get(history.before()) + 1; // a new primary, which is not marked yet
    } else if (!copy.mark().isOf(lineage)) {
      return 0;
    }
    if (copy.isForgetful()) {
      return 2 * copy.mark().epoch();
    }
    var isBeyond = history.offset() > ends.get(copy.mark().epoch());
    return isBeyond ? 2 * copy.mark().epoch() + 1 : 1; // 1: of some epoch before its mark
  }

  private long knownOffset(GroupCopy copy) {
    return epochs.containsKey(copy.history().id()) ? copy.offset() : copy.mark().offset();
  }

  /** The recorded offset of the other copy may be some seconds old, but it had all to the end. */
  private static boolean isBehind(GroupCopy known, GroupCopy marked) {
    return known.mark().standing() == Standing.BEHIND
        && known.mark().history().equals(known.history().id())
        && marked.mark().standing() != Standing.BEHIND;
  }

  private static Optional<GroupCopy> farthest(List<GroupCopy> equals) {
    var marked = equals.stream().filter(GroupCopy::isForgetful).toList();
    var known = equals.stream().filter(one -> !one.isForgetful()).min(FARTHEST_FIRST);
    var best = marked.stream().min(AS_MARKED);
    if (best.isEmpty()) {
      return known;
    }
    var atLeast =
        best.get().mark().standing() == Standing.PRIMARY
            ? marked.stream().mapToLong(GroupCopy::offset).max().orElseThrow()
            : best.get().offset();
    return known.filter(one -> one.offset() > atLeast && !isBehind(one, best.get())).or(() -> best);
  }
}
