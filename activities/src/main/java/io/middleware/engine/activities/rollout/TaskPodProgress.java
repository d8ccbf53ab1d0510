package io.middleware.engine.activities.rollout;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.objects.DrainedPods;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.GroupMembers;
import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.activities.objects.UnfinishedChanges;
import io.middleware.engine.activities.resources.CarriedSpec;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.NamedVolume;
import io.middleware.engine.api.Storage;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.SpecHistoryReader;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.cluster.VolumeState;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.PlannedReloads;
import io.middleware.engine.planning.app.VolumeField;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.PodActivities.TaskState;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.port.Work.Edit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Which pods of its component a task, or its rollback, has brought up to date. */
public final class TaskPodProgress {
  private final EngineObjects engine;
  private final Plugins plugins;
  private final SpecHistoryReader specHistory;
  private final ClusterView view;

  /**
   * @param view must already be started
   */
  public TaskPodProgress(
      EngineObjects engine, Plugins plugins, SpecHistoryReader specHistory, ClusterView view) {
    this.engine = engine;
    this.plugins = plugins;
    this.specHistory = specHistory;
    this.view = view;
  }

  /**
   * Pods of a group that the task has not reached are out of date, whatever their revision. Pods
   * whose state is unknown are in neither list. The pods are read from the API server: the view may
   * not show yet what the last step has done.
   */
  public TaskState of(TaskRef task) {
    return switch (task.change().work()) {
      case Edit edit -> ofEdit(task);
      case OperationRef operation -> new OperationPodProgress(engine, operation).of(task);
    };
  }

  private TaskState ofEdit(TaskRef task) {
    var existing = engine.groups(task);
    var groups = progressByGroup(task, existing);
    Map<Stock, List<PodState>> stock = new EnumMap<>(Stock.class);
    var leaving =
        existing.stream()
            .flatMap(group -> DrainedPods.of(task, group).stream())
            .map("drained "::concat)
            .collect(toCollection(ArrayList::new));
    if (task.type() == ChangeType.STORAGE) {
      grown(task).forEach(leaving::add);
    }
    for (var observed : engine.statefulSets(task)) {
      var set = observed.set();
      var progress = Optional.ofNullable(groups.get(observed.group()));
      progress.stream().flatMap(it -> it.gone(observed)).map("gone "::concat).forEach(leaving::add);
      progress
          .map(group -> group.expected(observed))
          .orElseGet(() -> observed.pods().stream())
          .forEach(
              pod ->
                  stock
                      .computeIfAbsent(stock(progress, set, pod), kind -> new ArrayList<>())
                      .add(pod));
    }
    var current = stock.getOrDefault(Stock.CURRENT, List.of());
    var outdated = stock.getOrDefault(Stock.OUTDATED, List.of());
    return new TaskState(
        names(current.stream()),
        names(outdated.stream()),
        !task.rollback() && isSettled(task),
        names(Stream.concat(current.stream(), outdated.stream()).filter(pod -> !pod.isReady())),
        leaving.isEmpty() ? sinceReady(current.stream()) : Duration.ZERO,
        leaving);
  }

  /** The volumes that have the size that their group asks for. */
  private Stream<String> grown(TaskRef task) {
    return engine.component(task).map(Component::getSpec).stream()
        .flatMap(spec -> ComponentSpecs.byName(spec).values().stream())
        .flatMap(group -> grown(task, group));
  }

  private Stream<String> grown(TaskRef task, GroupTemplate group) {
    var labels = Labels.selector(task.change().app(), task.component(), group.name());
    var asked = VolumeField.askedBy(group);
    var names = VolumeField.named(group).map(NamedVolume::name).toList();
    return view.volumes(AppKey.of(task.change())).stream()
        .filter(volume -> ClusterView.carries(volume.claim(), labels))
        .filter(
            volume ->
                Optional.ofNullable(asked.get(VolumeField.ofClaim(volume.name(), names)))
                    .map(Storage::size)
                    .filter(size -> hasGrown(volume, new Quantity(size)))
                    .isPresent())
        .map(volume -> "grown " + volume.name());
  }

  private static boolean hasGrown(VolumeState volume, Quantity size) {
    return !VolumeClaimSize.exceeds(size, volume.requested())
        && volume.missing(size, List.of()).isEmpty();
  }

  /** How long ago the last of them got ready; a time in the future is now. */
  static Duration sinceReady(Stream<PodState> pods) {
    var now = Instant.now();
    return pods.map(PodState::readySince)
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder())
        .map(last -> Duration.between(last, now))
        .filter(Duration::isPositive)
        .orElse(Duration.ZERO);
  }

  private enum Stock {
    CURRENT,
    OUTDATED,
    UNKNOWN
  }

  private static Stock stock(Optional<GroupPodProgress> group, StatefulSet set, PodState pod) {
    if (group.filter(it -> it.isCurrent(set, pod)).isPresent()) {
      return Stock.CURRENT;
    }
    return group.filter(it -> it.isUnknown(set, pod)).isPresent() ? Stock.UNKNOWN : Stock.OUTDATED;
  }

  static List<String> names(Stream<PodState> pods) {
    return pods.map(PodState::name).sorted(NaturalOrder.OF_NAMES).toList();
  }

  private boolean isSettled(TaskRef task) {
    return engine
        .component(task)
        .filter(it -> desired(task).filter(desired -> isSettled(task, it, desired)).isPresent())
        .isPresent();
  }

  /** Whether the Component has the task's spec and no annotation of an unfinished task. */
  public static boolean isSettled(TaskRef task, Component component, ComponentSpec desired) {
    var spec = component.getSpec();
    return spec != null
        && UnfinishedChanges.of(component).types().isEmpty()
        && Undo.of(task, component).isEmpty()
        && ComponentSpecs.carry(spec, desired, task.type()).equals(spec);
  }

  private Optional<ComponentSpec> desired(TaskRef task) {
    return view.app(AppKey.of(task.change()))
        .filter(app -> task.change().uid().equals(app.getMetadata().getUid()))
        .map(app -> specHistory.of(task.change(), app))
        .flatMap(app -> CarriedSpec.desired(app, task));
  }

  /** By name, the groups that have the spec of the task or its rollback. */
  private Map<String, GroupPodProgress> progressByGroup(TaskRef task, List<Group> groups) {
    return engine
        .component(task)
        .filter(component -> component.getSpec() != null && hasBegun(task, component))
        .map(component -> progressByGroup(task, groups, component))
        .orElseGet(Map::of);
  }

  private Map<String, GroupPodProgress> progressByGroup(
      TaskRef task, List<Group> groups, Component component) {
    var undo = Undo.of(task, component);
    return groups.stream()
        .filter(group -> group.getSpec() != null)
        .filter(
            group ->
                isReached(task, component, group.getSpec()) || isOnItsWay(task, component, group))
        .map(Group::getSpec)
        .collect(toMap(GroupSpec::group, group -> progress(task, undo, group)));
  }

  private GroupPodProgress progress(TaskRef task, Optional<Undo> undo, GroupSpec group) {
    return new GroupPodProgress(
        undo.flatMap(kept -> kept.workload(group.group())),
        task.rollback(),
        undo.filter(kept -> reloads(task, kept, group)).isPresent());
  }

  private boolean reloads(TaskRef task, Undo undo, GroupSpec group) {
    if (!PlannedReloads.bringsValues(task.type())) {
      return false;
    }
    var plugin = plugins.read(task, group.plugin());
    var before = undo.groupSpec(group.group()).flatMap(spec -> undo.from(spec, plugin));
    return PlannedReloads.areWanted(plugin, group, before, undo.unfinished());
  }

  /** A rollback that has removed its annotation has restored everything. */
  public static boolean isReached(TaskRef task, Component component, GroupSpec group) {
    if (task.rollback()) {
      var undo = Undo.of(task, component);
      return undo.isEmpty()
          || undo.get().groupSpec(group.group()).filter(group::equals).isPresent();
    }
    var spec = component.getSpec();
    return ComponentSpecs.byName(spec).containsKey(group.group())
        && group.equals(ComponentSpecs.groupSpec(spec, group.group()));
  }

  /** Whether the group has all but its number of pods, which join and leave one at a time. */
  private static boolean isOnItsWay(TaskRef task, Component component, Group group) {
    return GroupMembers.recorded(group).isPresent()
        && desiredSpec(task, component, group.getSpec().group())
            .map(spec -> spec.withReplicas(group.getSpec().members()))
            .filter(group.getSpec()::equals)
            .isPresent();
  }

  private static Optional<GroupSpec> desiredSpec(TaskRef task, Component component, String group) {
    return task.rollback()
        ? Undo.of(task, component).flatMap(undo -> undo.groupSpec(group))
        : Optional.of(component.getSpec())
            .filter(spec -> ComponentSpecs.byName(spec).containsKey(group))
            .map(spec -> ComponentSpecs.groupSpec(spec, group));
  }

  private static boolean hasBegun(TaskRef task, Component component) {
    return task.rollback()
        || (task.type().isReversible()
            ? Undo.of(task, component).isPresent()
            : UnfinishedChanges.of(component).has(task.type()));
  }
}
