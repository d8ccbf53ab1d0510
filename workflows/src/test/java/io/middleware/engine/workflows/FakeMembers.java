package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupWrite;
import io.middleware.engine.workflows.port.GroupWrite.MembersReturn;
import io.middleware.engine.workflows.port.MemberActivities;
import io.middleware.engine.workflows.port.MemberMove;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import io.middleware.engine.workflows.port.PodOrder;
import io.temporal.activity.Activity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The groups of a fake cluster whose pods join and leave one at a time. */
public final class FakeMembers implements MemberActivities {
  /** By group, how many members it has. */
  public final Map<String, Integer> now = new ConcurrentHashMap<>();

  /** By group, how many it is to have, and how many a rollback brings back. */
  public final Map<String, Integer> target = new ConcurrentHashMap<>();

  public final Map<String, Integer> before = new ConcurrentHashMap<>();

  /** The groups that are stopped. */
  public final Map<String, Boolean> stopped = new ConcurrentHashMap<>();

  /** The groups with a broken member. */
  public final Map<String, Boolean> broken = new ConcurrentHashMap<>();

  /** By which the agents know each move, in order. */
  final List<String> ids = new CopyOnWriteArrayList<>();

  /** By group, the pod whose move has begun and is not complete. */
  public final Map<String, String> moving = new ConcurrentHashMap<>();

  private final FakeOperations cluster;

  FakeMembers(FakeOperations cluster) {
    this.cluster = cluster;
  }

  /** What comes before the group can be written. */
  Optional<GroupWrite> next(GroupRef ref) {
    var group = ref.group();
    if (!now.containsKey(group)) {
      return Optional.empty();
    }
    int members = now.get(group);
    int wanted = (ref.task().rollback() ? before : target).get(group);
    if (wanted != members && stopped.getOrDefault(group, false)) {
      return Optional.of(new MembersReturn(members));
    }
    if (wanted != members && broken.getOrDefault(group, false)) {
      return Optional.of(new MembersReturn(members, true));
    }
    if (moving.containsKey(group)) {
      var pod = moving.get(group);
      var number = Integer.parseInt(pod.substring(pod.indexOf('-') + 1));
      return Optional.of(
          wanted > number
              ? move(Direction.JOIN, group, number, number + 1, wanted)
              : move(Direction.LEAVE, group, number, number, wanted));
    }
    if (wanted > members) {
      return Optional.of(move(Direction.JOIN, group, members, members + 1, wanted));
    }
    return wanted < members
        ? Optional.of(move(Direction.LEAVE, group, members - 1, members - 1, wanted))
        : Optional.empty();
  }

  private static MemberMove move(
      Direction direction, String group, int number, int members, int wanted) {
    var pod = "s%s-%d".formatted(group.substring(group.length() - 1), number);
    return new MemberMove(direction, pod, members, wanted, Optional.empty());
  }

  /** Its pods are asked for, once. */
  Optional<PodOrder> repaired(String group) {
    return Optional.ofNullable(broken.remove(group)).map(was -> PodOrder.UNANSWERED);
  }

  void write(GroupRef ref, int members) {
    cluster.operate(ref.change(), "%d members of %s".formatted(members, FakeOperations.path(ref)));
    stopped.remove(ref.group());
    now.put(ref.group(), members);
  }

  @Override
  public void beginMove(MoveRequest request) {
    var group = request.group().group();
    var pod = request.move().pod();
    if (!pod.equals(moving.getOrDefault(group, pod))) {
      throw new IllegalStateException("two pods move at once: %s, %s".formatted(moving, pod));
    }
    moving.put(group, pod);
    ids.add(Activity.getExecutionContext().getInfo().getActivityId());
    cluster.operate(
        request.change(),
        (request.move().direction() == Direction.JOIN ? "join " : "leave ") + pod);
  }

  @Override
  public void endMove(MoveRequest request) {
    cluster.operate(request.change(), "complete " + request.move().pod());
    moving.remove(request.group().group());
  }
}
