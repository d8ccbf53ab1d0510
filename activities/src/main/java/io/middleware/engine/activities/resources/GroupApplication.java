package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.GroupMembers;
import io.middleware.engine.activities.objects.OntoObserved;
import io.middleware.engine.activities.objects.PartOwnership;
import io.middleware.engine.activities.resources.DesiredGroups.DesiredGroup;
import io.middleware.engine.activities.resources.GroupWriter.ObservedObjects;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupWrite;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import io.middleware.engine.workflows.port.ResourceActivities.MembersWrite;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The step that writes a Group and its objects.
 *
 * <ol>
 *   <li>Read the Group and its objects, and render what they are to be.
 *   <li>Check the run lock, and that the App is not paused.
 *   <li>Write each of them onto what was read ({@link OntoObserved}).
 * </ol>
 */
final class GroupApplication {
  private final StepApps apps;
  private final EngineObjects engine;
  private final GroupWriter groups;
  private final DesiredGroups desiredGroups;
  private final ScaledDownPods scaledDownPods;
  private final PodPreparation preparation;
  private final GroupVolumes volumes;
  private final WriteWarnings warnings;
  private final MovingMembers members;

  GroupApplication(
      StepApps apps,
      EngineObjects engine,
      GroupWriter groups,
      DesiredGroups desiredGroups,
      ScaledDownPods scaledDownPods,
      PodPreparation preparation,
      GroupVolumes volumes,
      WriteWarnings warnings) {
    this.apps = apps;
    this.engine = engine;
    this.groups = groups;
    this.desiredGroups = desiredGroups;
    this.scaledDownPods = scaledDownPods;
    this.preparation = preparation;
    this.volumes = volumes;
    this.warnings = warnings;
    this.members = new MovingMembers(engine, desiredGroups, scaledDownPods, preparation);
  }

  /**
   * A group that is rendered and checked: what is to be written, and what exists of it.
   *
   * @param group the existing one
   * @param inventory of the existing one
   */
  private record Prepared(
      DesiredGroup desired,
      Optional<Group> group,
      List<InventoryItem> inventory,
      ObservedObjects seen) {

    /** The names of the volume claims that pods ask for that the task adds to the group. */
    List<String> addedClaims(TaskRef task) {
      if (task.rollback()
          || task.type() != ChangeType.PROVISION && task.type() != ChangeType.RESOURCES) {
        return List.of();
      }
      return desired.objects().inOrder().stream()
          .filter(object -> object.kind().kind().equals("StatefulSet"))
          .flatMap(
              object -> {
                var before = seen.objects().get(GroupWriter.item(object)).object();
                var now = replicas(object.tree());
                var were = before.map(set -> replicas(set.getAdditionalProperties())).orElse(0);
                return VolumeClaimTemplates.names(
                    object.name(), object.tree(), Math.min(were, now), now)
                    .stream();
              })
          .toList();
    }

    private static int replicas(Map<String, Object> tree) {
      return tree.get("spec") instanceof Map<?, ?> spec
              && spec.get("replicas") instanceof Number number
          ? number.intValue()
          : 1;
    }
  }

  GroupWrite apply(GroupRef ref) {
    var prepared = prepare(ref);
    var first = apps.read(ref.change(), app -> first(app, ref, prepared));
    var app = appToWrite(ref);
    return first.orElseGet(() -> write(app, ref, prepared));
  }

  private Optional<GroupWrite> first(App app, GroupRef ref, Prepared prepared) {
    return members
        .next(app, ref, prepared.desired(), prepared.group())
        .or(() -> preparation.first(app, ref, prepared.desired()).map(drain -> drain));
  }

  /** Writes the group with this many members, of which the Group says so first. */
  Applied applyMembers(MembersWrite request) {
    var ref = request.group();
    var change = ref.change();
    var group = engine.readable(ref);
    StepApps.unpaused(apps.check(change));
    var known = GroupMembers.of(group).with(request.members());
    known.writeOn(group, engine, () -> apps.check(change));
    var prepared = prepare(ref);
    var applied = applyDrained(ref, prepared);
    var waitedFor = members.waitedFor(request, applied, prepared.desired());
    known
        .moving()
        .filter(it -> it.direction() == Direction.LEAVE)
        .filter(it -> !MovingMembers.has(prepared.desired(), it.pod()))
        .ifPresent(it -> volumes.leave(apps.withSpec(change, apps.check(change)), ref, it.pod()));
    return waitedFor;
  }

  Applied applyDrained(GroupRef ref) {
    return applyDrained(ref, prepare(ref));
  }

  private Applied applyDrained(GroupRef ref, Prepared prepared) {
    apps.read(
        ref.change(),
        app -> {
          preparation.requireVolumes(app, ref, prepared.desired());
          return app;
        });
    return write(appToWrite(ref), ref, prepared);
  }

  /** Writes what is desired now, also while the App is paused; for what changes no pod. */
  void rewrite(GroupRef ref) {
    var prepared = prepare(ref);
    write(apps.check(ref.task().change()), ref, prepared);
  }

  /** Writes only where a StatefulSet was deleted to be replaced, also while the App is paused. */
  void complete(GroupRef ref) {
    if (isCutOff(apps.check(ref.task().change()), ref)) {
      var prepared = prepare(ref);
      write(apps.check(ref.task().change()), ref, prepared);
    }
  }

  /** The App, if the step may begin, or has begun and must be completed. */
  private App appToWrite(GroupRef ref) {
    var now = apps.check(ref.task().change());
    return now.isPaused() && isCutOff(now, ref) ? now : StepApps.unpaused(now);
  }

  /** Whether a StatefulSet has been deleted to be replaced, and the new one does not exist yet. */
  private boolean isCutOff(App app, GroupRef ref) {
    return ref.task().type() == ChangeType.STORAGE
        && engine
            .group(ref.task(), ref.group())
            .filter(group -> groups.lacksStatefulSet(app, group))
            .isPresent();
  }

  private Prepared prepare(GroupRef ref) {
    return apps.read(ref.task().change(), app -> prepare(app, ref));
  }

  /** Where pods join and leave one at a time, no other write than theirs changes how many. */
  private Prepared prepare(App app, GroupRef ref) {
    var group = engine.group(ref.task(), ref.group());
    var desired = desiredGroups.of(app, ref, target -> MovingMembers.count(group, target));
    group.ifPresent(found -> PartOwnership.require(desired.group(), found));
    desiredGroups.record(ref.task(), desired, group);
    Runnable fence = () -> apps.check(ref.task().change());
    var seen = groups.check(app, group.orElse(desired.group()), desired.objects(), fence);
    var inventory = group.map(found -> desiredGroups.inventory(app, found)).orElseGet(List::of);
    SurplusObjects.record(desired.group(), inventory, desired.objects());
    return new Prepared(desired, group, inventory, seen);
  }

  private Applied write(App live, GroupRef ref, Prepared prepared) {
    var desired = prepared.desired();
    var app = apps.withSpec(ref.task().change(), live);
    var fence = prepared.seen().fence();
    prepared.group().ifPresent(before -> members.record(desired, before, fence));
    var group = engine.apply(desired.group(), prepared.group(), app.forcesConflicts(), fence);
    members.record(desired, group, fence);
    var removed = scaledDownPods.removed(ref, desired.objects());
    var reused = volumes.existing(ref, prepared.addedClaims(ref.task()));
    var written =
        groups.write(
            app, groups.withInventory(group, prepared.inventory()), desired, prepared.seen());
    warnings.report(app, desired.objects());
    if (desired.mayReplace()) {
      volumes.empty().remake(app, ref, desired.objects());
    }
    scaledDownPods.report(app, ref, removed);
    volumes.reportReused(app, ref, reused);
    return new Applied(
        written.map(
            set ->
                new AppliedStatefulSet(
                    set.name(),
                    set.generation(),
                    set.uid(),
                    desired.reload(),
                    desired.keepsPods(),
                    desired.kept(),
                    List.of(),
                    !desired.objects().have("Deployment"))));
  }
}
