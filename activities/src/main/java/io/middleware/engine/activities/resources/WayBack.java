package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.ObservedStatefulSet;
import io.middleware.engine.activities.objects.PartOwnership;
import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.activities.objects.UnfinishedChanges;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.planning.app.NoWayBack;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.RenewedPods;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether a component can go back to what it was before a task. */
final class WayBack {
  private static final String WAY_OUT =
      "%s: all pods stay as they are; remove the cause and retry the change, or edit the App to go on from here";

  private final EngineObjects engine;
  private final Function<Group, Optional<PluginSpec>> plugins;
  private final RollbackEvents rollbacks;

  /**
   * @param plugins with which a Group was rendered last
   */
  WayBack(
      EngineObjects engine,
      Function<Group, Optional<PluginSpec>> plugins,
      RollbackEvents rollbacks) {
    this.engine = engine;
    this.rollbacks = rollbacks;
    this.plugins = plugins;
  }

  /**
   * Refuses a rollback over what cannot be undone. A repeat of one that has begun is not refused:
   * nothing final begins after it.
   *
   * @param undo of the task
   * @throws io.temporal.failure.ApplicationFailure of kind IRREVERSIBLE
   */
  void require(TaskRef task, Component component, Undo undo, List<ObservedStatefulSet> sets) {
    if (!undo.changed().isEmpty()) {
      return;
    }
    var kept = NoWayBack.of(component);
    if (kept.hasBegun(task.id())) {
      throw refused(task, kept.hook());
    }
    for (var group : engine.groups(task)) {
      Optional.ofNullable(group.getSpec())
          .flatMap(now -> undo.groupSpec(now.group()))
          .filter(then -> !then.equals(group.getSpec()))
          .flatMap(then -> obstacle(kept, group, then, undo, sets))
          .ifPresent(
              why -> {
                throw refused(task, why);
              });
    }
  }

  private Optional<String> obstacle(
      NoWayBack kept, Group group, GroupSpec then, Undo undo, List<ObservedStatefulSet> sets) {
    return versions(then)
        .map(kept.behind()::get)
        .filter(Objects::nonNull)
        .findFirst()
        .or(
            () ->
                behind(group).contains(NoWayBack.name(then.runtime()))
                    ? started(group, renewed(group.getSpec().group(), undo, sets))
                    : Optional.empty());
  }

  /** Without a StatefulSet, or if nobody knows how it was, every pod may have started. */
  private static List<String> renewed(String group, Undo undo, List<ObservedStatefulSet> sets) {
    var set = sets.stream().filter(it -> it.group().equals(group)).findFirst();
    var before = undo.workload(group);
    return set.map(
            it ->
                RenewedPods.of(
                    it.set(),
                    it.pods(),
                    pod ->
                        before
                            .filter(was -> was.revisionOf(pod.name()).equals(pod.revision()))
                            .isPresent()))
        .orElseGet(() -> List.of("of group " + group));
  }

  private static Optional<String> started(Group group, List<String> pods) {
    return Rollout.firstFew(pods.stream().map("pod "::concat).toList())
        .map(
            which ->
                "there is no way back from %s, with which %s may have started"
                    .formatted(NoWayBack.name(group.getSpec().runtime()), which));
  }

  /** The versions behind the one with which the group was written. */
  private Set<String> behind(Group group) {
    var spec = group.getSpec();
    return plugins.apply(group).stream()
        .flatMap(plugin -> new PluginCatalog(plugin).noWayBackTo(spec.runtime()).stream())
        .map(NoWayBack::name)
        .collect(Collectors.toSet());
  }

  private RuntimeException refused(TaskRef task, String why) {
    var message = WAY_OUT.formatted(why);
    rollbacks.refused(task, message);
    return Faults.of(FaultKind.IRREVERSIBLE, message);
  }

  /**
   * What the Component keeps when a task begins. An upgrade before it that is unfinished may have
   * started pods that this task, or an edit, takes away: then nobody could see it any more. Final
   * hooks of other tasks count no more: only the last task can be rolled back. The tasks of another
   * App may have had the same ids.
   *
   * @param before what was unfinished
   * @param undo of the task
   */
  NoWayBack atBegin(
      TaskRef task, Component component, UnfinishedChanges before, Optional<Undo> undo) {
    var was = NoWayBack.of(component);
    var isRepeated =
        was.hasBegun(task.id()) && PartOwnership.isController(task.change().uid(), component);
    var kept = isRepeated ? was : was.ofNextTask();
    var isUnfinished = before.has(ChangeType.VERSION_UPGRADE);
    if (isUnfinished) {
      for (var group : engine.groups(task)) {
        kept = afterStart(kept, task, group);
      }
    }
    return task.type() == ChangeType.VERSION_UPGRADE && task.hooked()
        ? kept.from(origins(undo, isUnfinished ? kept.origins() : Set.of()))
        : kept;
  }

  private NoWayBack afterStart(NoWayBack kept, TaskRef task, Group group) {
    var behind = group.getSpec() == null ? Set.<String>of() : behind(group);
    if (kept.behind().keySet().containsAll(behind)) {
      return kept; // usually, and without asking for pods
    }
    var pods =
        engine.statefulSets(task).stream()
            .filter(it -> it.group().equals(group.getSpec().group()))
            .map(it -> RenewedPods.ofNewest(it.set(), it.pods()))
            .findFirst()
            .orElseGet(() -> List.of("of group " + group.getSpec().group()));
    return started(group, pods).map(why -> kept.without(behind, why)).orElse(kept);
  }

  /** The versions from before the task, and from before an unfinished one that it completes. */
  static Collection<String> origins(Optional<Undo> undo, Collection<String> earlier) {
    var all = new TreeSet<>(earlier);
    undo.ifPresent(
        before -> {
          Optional.ofNullable(before.spec())
              .ifPresent(
                  spec -> {
                    all.add(NoWayBack.name(spec.runtime()));
                    all.add(NoWayBack.name(spec.plugin()));
                  });
          before.groups().values().stream().flatMap(WayBack::versions).forEach(all::add);
        });
    return all;
  }

  private static Stream<String> versions(GroupSpec group) {
    return Stream.of(NoWayBack.name(group.runtime()), NoWayBack.name(group.plugin()));
  }
}
