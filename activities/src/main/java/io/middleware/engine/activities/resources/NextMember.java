package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.GroupMembers;
import io.middleware.engine.activities.objects.GroupMembers.Moving;
import io.middleware.engine.workflows.port.GroupWrite;
import io.middleware.engine.workflows.port.GroupWrite.MembersReturn;
import io.middleware.engine.workflows.port.MemberMove;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Which member of a group joins or leaves next; a pure function.
 *
 * <ol>
 *   <li>A group that has members and no pods gets these pods back first.
 *   <li>A new group of which no pod is ready begins anew with the number that it is to have: there
 *       is nobody who could be told of a move.
 *   <li>A move that has begun comes before all others. A pod that was joining goes on to, if the
 *       group is to have it, and leaves otherwise. One that was leaving leaves in any case: the
 *       middleware may have forgotten it already.
 *   <li>Otherwise the next number joins, or the last one leaves.
 *   <li>Members that stay and are not ready come back before another one moves, if it waits for
 *       them: the edit may be what repairs them.
 * </ol>
 *
 * @param members as the Group says
 * @param target how many there are to be
 * @param podName by its place: 0 is the first one
 */
record NextMember(GroupMembers members, Pods pods, int target, IntFunction<String> podName) {

  /**
   * @param running whether there are to be pods as it is
   * @param isNew whether the first provisioning of the component has not finished
   * @param ready the names of those that are ready
   */
  record Pods(boolean running, boolean isNew, Set<String> ready) {
    /** Where it does not matter. */
    static final Pods UNKNOWN = new Pods(true, false, Set.of());
  }

  /** Empty when nothing has to move, or nothing is to be there. */
  Optional<GroupWrite> step() {
    var count = members.count();
    if (target == 0 || count == 0) {
      return Optional.empty();
    }
    if (!pods.running()) {
      return count == target && members.moving().isEmpty()
          ? Optional.empty()
          : Optional.of(new MembersReturn(count));
    }
    if (pods.isNew() && pods.ready().isEmpty() && members.moving().isEmpty()) {
      return count == target ? Optional.empty() : Optional.of(new MembersReturn(target, true));
    }
    return members
        .moving()
        .map(this::completed)
        .or(() -> next(count))
        .map(move -> mayBegin(move) ? move : new MembersReturn(count, true));
  }

  private Optional<MemberMove> next(int count) {
    if (count == target) {
      return Optional.empty();
    }
    return Optional.of(count < target ? join(count) : leave(count - 1));
  }

  /** Those that are to leave never come back: the step that begins the move waits for them. */
  private boolean mayBegin(MemberMove move) {
    var staying = names(0, Math.min(members.count(), target));
    return move.awaited(names(0, members.count()), pods.ready()).stream()
        .noneMatch(staying::contains);
  }

  /**
   * Of these many members, those that are not waited for. One whose leave has begun may have been
   * forgotten, and never get ready again.
   *
   * @param running whether those that are to leave may go at once
   */
  List<String> leaving(int count, boolean running) {
    var names = new ArrayList<>(running ? names(target, count) : List.of());
    members
        .moving()
        .filter(it -> it.direction() == Direction.LEAVE && names(0, count).contains(it.pod()))
        .filter(it -> !names.contains(it.pod()))
        .ifPresent(it -> names.add(it.pod()));
    return names;
  }

  private List<String> names(int first, int end) {
    return IntStream.range(first, end).mapToObj(podName).toList();
  }

  /** The pod is the last member, or comes after it: before it, nobody moves. */
  private MemberMove completed(Moving moving) {
    var last = members.count() - 1;
    var place = podName.apply(last).equals(moving.pod()) ? last : last + 1;
    return moving.direction() == Direction.JOIN && place < target ? join(place) : leave(place);
  }

  private MemberMove join(int place) {
    return move(Direction.JOIN, place, place + 1);
  }

  private MemberMove leave(int place) {
    return move(Direction.LEAVE, place, place);
  }

  private MemberMove move(Direction direction, int place, int after) {
    return new MemberMove(direction, podName.apply(place), after, target, Optional.empty());
  }
}
