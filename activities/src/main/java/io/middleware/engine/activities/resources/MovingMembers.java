package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.GroupMembers;
import io.middleware.engine.activities.resources.DesiredGroups.DesiredGroup;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.process.pods.PodNames;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupWrite;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.MemberMove;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.ResourceActivities.MembersWrite;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Groups whose pods join and leave one at a time: which one is next. */
final class MovingMembers {
  private final EngineObjects engine;
  private final DesiredGroups desiredGroups;
  private final ScaledDownPods pods;
  private final PodPreparation preparation;

  MovingMembers(
      EngineObjects engine,
      DesiredGroups desiredGroups,
      ScaledDownPods pods,
      PodPreparation preparation) {
    this.engine = engine;
    this.desiredGroups = desiredGroups;
    this.pods = pods;
    this.preparation = preparation;
  }

  /**
   * How many pods a write keeps.
   *
   * @param group empty when there is none yet: its first pods come together
   * @param target how many there are to be in the end; 0 is no matter of members
   */
  static int count(Optional<Group> group, int target) {
    return group
        .map(it -> GroupMembers.of(it).count())
        .filter(count -> count > 0 && target > 0)
        .orElse(target);
  }

  /**
   * What comes before the group is written; empty when it has the pods that it is to have. An
   * Operation moves nobody, and nor does a growth of volumes, which may replace the StatefulSet.
   * What else than the number is edited only completes a move that has begun.
   *
   * @param desired with the pods that it has
   */
  Optional<GroupWrite> next(App app, GroupRef ref, DesiredGroup desired, Optional<Group> group) {
    var set = set(desired);
    if (desired.target().isEmpty()
        || desired.isStopped()
        || group.isEmpty()
        || set.isEmpty()
        || ref.change().operation().isPresent()
        || ref.task().type() == ChangeType.STORAGE) {
      return Optional.empty();
    }
    var members = GroupMembers.of(group.get());
    var running = pods.areThere(ref, set.get().name());
    if (ref.task().type() == ChangeType.VERSION_UPGRADE && running && members.moving().isEmpty()) {
      return Optional
          .empty(); // a pod of the new version would join before the order of pods is asked
    }
    var ready =
        pods.of(ref, set.get().name()).stream()
            .filter(PodState::isReady)
            .map(PodState::name)
            .collect(Collectors.toSet());
    var seen = new NextMember.Pods(running, desired.isNew(), ready);
    return next(members, seen, desired.target().get(), set.get())
        .step()
        .map(next -> next instanceof MemberMove move ? prepared(app, ref, move) : next);
  }

  private static NextMember next(
      GroupMembers members, NextMember.Pods pods, int target, RenderedObject set) {
    return new NextMember(members, pods, target, place -> podName(set, place));
  }

  private MemberMove prepared(App app, GroupRef ref, MemberMove move) {
    return move.direction() == Direction.LEAVE
        ? new MemberMove(
            move.direction(),
            move.pod(),
            move.members(),
            move.target(),
            preparation.first(app, ref, desiredGroups.of(app, ref, target -> move.members())))
        : move;
  }

  /**
   * Pods may still be out of date: they are replaced when all members are there. Those that are
   * broken are replaced first, since the edit may repair them; but not those that leave, nor those
   * that the task leaves alone.
   */
  Applied waitedFor(MembersWrite request, Applied applied, DesiredGroup desired) {
    var set = set(desired);
    if (set.isEmpty()) {
      return applied;
    }
    var members = GroupMembers.of(engine.readable(request.group()));
    var leaving =
        desired
            .target()
            .map(target -> next(members, NextMember.Pods.UNKNOWN, target, set.get()))
            .map(next -> next.leaving(request.members(), request.running()))
            .orElse(List.of());
    var broken =
        pods.of(request.group(), set.get().name()).stream()
            .filter(pod -> !pod.isReady())
            .map(PodState::name)
            .filter(pod -> !leaving.contains(pod) && !desired.kept().contains(pod))
            .toList();
    var kept =
        names(set.get(), request.members()).stream().filter(it -> !broken.contains(it)).toList();
    return new Applied(
        applied.statefulSet().map(written -> written.keeping(kept, leaving)),
        broken.isEmpty() ? Optional.empty() : Optional.of(PodOrder.UNANSWERED));
  }

  /**
   * Keeps on a Group that does not say it how many members it has; before it is written, as it may
   * be written with none. On one whose pods do not join and leave any more, nothing is kept: it
   * would count when they do so again.
   */
  void record(DesiredGroup desired, Group group, Runnable fence) {
    var members = GroupMembers.of(group);
    if (desired.target().isEmpty()) {
      GroupMembers.forget(group, engine, fence);
    } else if (GroupMembers.recorded(group).isEmpty() && members.count() > 0) {
      members.writeOn(group, engine, fence);
    }
  }

  /** Whether a group is written with this pod. */
  static boolean has(DesiredGroup desired, String pod) {
    return set(desired).filter(set -> names(set, desired.members()).contains(pod)).isPresent();
  }

  /** The StatefulSet; empty where its number of pods is left to others. */
  private static Optional<RenderedObject> set(DesiredGroup desired) {
    return desired.objects().inOrder().stream()
        .filter(object -> object.kind().kind().equals("StatefulSet"))
        .filter(set -> at(set.tree(), "spec", "replicas") instanceof Number)
        .findFirst();
  }

  private static String podName(RenderedObject set, int place) {
    return names(set, place + 1).getLast();
  }

  private static List<String> names(RenderedObject set, int count) {
    var first =
        at(set.tree(), "spec", "ordinals", "start") instanceof Number it ? it.intValue() : 0;
    return PodNames.of(set.name(), first, count);
  }

  private static Object at(Object tree, String... path) {
    var node = tree;
    for (var field : path) {
      node = node instanceof Map<?, ?> map ? map.get(field) : null;
    }
    return node;
  }
}
