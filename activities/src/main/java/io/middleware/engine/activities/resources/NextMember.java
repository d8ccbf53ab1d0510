package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.GroupMembers;
import io.middleware.engine.activities.objects.GroupMembers.Moving;
import io.middleware.engine.workflows.port.GroupWrite;
import io.middleware.engine.workflows.port.GroupWrite.MembersReturn;
import io.middleware.engine.workflows.port.MemberMove;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Which member of a group joins or leaves next; a pure function.
 *
 * <ol>
 *   <li>A group that has members and no pods gets these pods back first.
 *   <li>A move that has begun comes before all others. A pod that was joining goes on to, if the
 *       group is to have it, and leaves otherwise. One that was leaving leaves in any case: the
 *       middleware may have forgotten it already.
 *   <li>Otherwise the next number joins, or the last one leaves.
 * </ol>
 *
 * @param members as the Group says
 * @param running whether there are pods
 * @param target how many there are to be
 * @param podName by its place: 0 is the first one
 */
record NextMember(GroupMembers members, boolean running, int target, IntFunction<String> podName) {

  /** Empty when nothing has to move, or nothing is to be there. */
  Optional<GroupWrite> step() {
    var count = members.count();
    if (target == 0 || count == 0) {
      return Optional.empty();
    }
    if (!running) {
      return count == target && members.moving().isEmpty()
          ? Optional.empty()
          : Optional.of(new MembersReturn(count));
    }
    return members.moving().map(this::completed).or(() -> next(count)).map(move -> move);
  }

  private Optional<MemberMove> next(int count) {
    if (count == target) {
      return Optional.empty();
    }
    return Optional.of(count < target ? join(count) : leave(count - 1));
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
