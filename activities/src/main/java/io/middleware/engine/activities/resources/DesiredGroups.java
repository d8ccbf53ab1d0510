package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.KeptPodDefaults;
import io.middleware.engine.activities.objects.OntoObserved;
import io.middleware.engine.activities.objects.PartOwnership;
import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.activities.objects.UnfinishedChanges;
import io.middleware.engine.activities.objects.VolumeSizeInTemplate;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.PlannedReloads;
import io.middleware.engine.render.ActionJob;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;

/** The group that a task is to write, by the Component on which the task has begun. */
public final class DesiredGroups {
  /** Tasks of these types may change no pod at all. */
  private static final Set<ChangeType> EDITS = Set.of(ChangeType.CONFIG, ChangeType.RESOURCES);

  /** What may be unfinished without a pod that has still to be replaced. */
  private static final Set<String> EDITED = Set.of(PlannedReloads.IN_FORCE);

  private final EngineObjects engine;
  private final GroupRendering rendering;

  public DesiredGroups(EngineObjects engine, GroupRendering rendering) {
    this.engine = engine;
    this.rendering = rendering;
  }

  /**
   * A Group and its objects, not yet written.
   *
   * @param agents of its pods
   * @param reload whether its running pods must reload their configuration
   * @param keepsPods whether the task leaves pods alone that are out of date
   * @param kept names of pods that the task leaves alone, also when it replaces others
   * @param isNew whether the first provisioning of the component has not finished
   * @param mayReplace whether its StatefulSet may be replaced by one with other volume claim
   *     templates
   * @param target how many pods it is to have in the end, which is another number than it is
   *     rendered with while pods join and leave one at a time; empty where they do not
   * @param reclaims whether the task takes out what others have written into the engine's own
   *     fields
   */
  record DesiredGroup(
      Group group,
      RenderedObjects objects,
      AgentEndpoint agents,
      boolean switchover,
      boolean reload,
      boolean keepsPods,
      List<String> kept,
      boolean isNew,
      boolean mayReplace,
      boolean reclaims,
      Optional<Integer> target) {

    boolean isStopped() {
      return group.getSpec().isStopped();
    }

    int members() {
      return group.getSpec().members();
    }
  }

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind CONFLICT when there is no Component, of
   *     kind INVALID when it has no such group or its objects cannot be rendered
   */
  DesiredGroup of(App app, GroupRef ref) {
    return of(app, ref, target -> target);
  }

  /**
   * The same at another number of pods, where these join and leave one at a time.
   *
   * @param members from the number that is desired
   */
  DesiredGroup of(App app, GroupRef ref, IntUnaryOperator members) {
    var task = ref.task();
    var component =
        engine
            .component(task)
            .filter(found -> found.getSpec() != null)
            .orElseThrow(
                () ->
                    Faults.of(
                        FaultKind.CONFLICT,
                        "Component " + task.component() + " does not exist or cannot be read"));
    PartOwnership.require(app, component);
    var wanted = spec(task, component, ref.group());
    var plugin = rendering.plugin(task, wanted);
    var target = Optional.of(wanted.members()).filter(it -> plugin.scalesOneByOne(wanted.type()));
    var spec = target.map(it -> wanted.withReplicas(members.applyAsInt(it))).orElse(wanted);
    var desired = group(task, component, spec);
    var isNew = UnfinishedChanges.of(component).areOfNewComponent();
    var objects = asBefore(task, component, spec, rendering.render(plugin, app, spec));
    return new DesiredGroup(
        desired,
        objects,
        AgentQueries.endpoint(plugin),
        plugin.switchesOver(spec.type()),
        new ReloadDecision(app, task, component).isNeeded(spec, plugin),
        task.type() == ChangeType.STORAGE
            && !VolumeSizeInTemplate.isShown(
                spec, objects, other -> rendering.render(plugin, app, other)),
        kept(task, component, spec, undo -> changesNoPod(task, undo, spec, plugin, app, objects)),
        isNew,
        task.type() == ChangeType.STORAGE || isNew,
        task.type() == ChangeType.REAPPLY,
        target);
  }

  /**
   * Whether an edit leaves the template of the pods as it was. Then it replaces none that is out of
   * date for another reason, such as {@code kubectl rollout restart}. An unfinished change goes on.
   */
  private boolean changesNoPod(
      TaskRef task,
      Undo undo,
      GroupSpec spec,
      PluginSpec plugin,
      App app,
      RenderedObjects objects) {
    return EDITS.contains(task.type())
        && EDITED.containsAll(undo.unfinished())
        && undo.groupSpec(spec.group())
            .flatMap(before -> undo.from(before, plugin))
            .filter(
                from ->
                    VolumeSizeInTemplate.haveSamePods(
                        objects, rendering.render(plugin, app, from.spec())))
            .isPresent();
  }

  /** Records on a desired Group with what it is rendered. */
  void record(TaskRef task, DesiredGroup desired, Optional<Group> existing) {
    new GroupAnnotations(rendering).record(task, desired.group(), existing);
  }

  /** The Plugin with which an existing Group was rendered last; empty when nobody knows. */
  Optional<PluginSpec> deployed(Group existing) {
    return rendering.deployed(existing);
  }

  /**
   * The plugin of a group, as it was when the change was planned.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it is missing or unreadable
   */
  PluginSpec plugin(TaskRef task, GroupSpec group) {
    return rendering.plugin(task, group);
  }

  EngineObjects engine() {
    return engine;
  }

  /** Reads the Plugins of groups. */
  Plugins plugins() {
    return rendering.plugins();
  }

  /** The objects that a task has written for an existing group. */
  RenderedObjects written(TaskRef task, App app, Group group) {
    return rendering.render(plugin(task, group.getSpec()), app, group.getSpec());
  }

  /**
   * The Job of an action, as the App's group is deployed.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it cannot be rendered
   */
  RenderedObject job(PluginSpec plugin, App app, GroupSpec group, ActionJob job) {
    return rendering.renderJob(plugin, app, group, job);
  }

  /**
   * The inventory of a Group. If somebody has wiped it from the status, it is what the Group's spec
   * renders; empty when that cannot be rendered any more.
   */
  List<InventoryItem> inventory(App app, Group group) {
    if (GroupWriter.hasInventory(group) || group.getSpec() == null) {
      return List.copyOf(GroupWriter.inventory(group));
    }
    try {
      var spec = group.getSpec();
      return rendering.render(rendering.plugin(spec), app, spec).inOrder().stream()
          .map(GroupWriter::item)
          .toList();
    } catch (ApplicationFailure e) {
      if (e.isNonRetryable()) {
        return List.of();
      }
      throw e;
    }
  }

  /** The desired sizes of the group's volumes; fails like the steps that write the group. */
  public List<VolumeClaimSize> volumes(App app, GroupRef ref) {
    return of(app, ref).objects().inOrder().stream()
        .flatMap(o -> VolumeClaimTemplates.sizes(o.kind().kind(), o.name(), o.tree()).stream())
        .toList();
  }

  /** A rollback leaves the pods alone that its task has not replaced. */
  private static RenderedObjects asBefore(
      TaskRef task, Component component, GroupSpec spec, RenderedObjects rendered) {
    return workload(task, component, spec.group())
        .filter(before -> Boolean.TRUE.equals(before.serviceLinks()))
        .map(before -> KeptPodDefaults.kept(rendered, Boolean.TRUE.equals(before.lastLines())))
        .orElse(rendered);
  }

  private static Optional<Undo.Workload> workload(TaskRef task, Component component, String group) {
    return Optional.of(task)
        .filter(TaskRef::rollback)
        .flatMap(back -> Undo.of(back, component))
        .flatMap(undo -> undo.workload(group));
  }

  /** A rollback, or an edit that changes no pod, does not finish what others have not done. */
  private static List<String> kept(
      TaskRef task, Component component, GroupSpec spec, Predicate<Undo> changesNoPod) {
    return Undo.of(task, component)
        .filter(undo -> task.rollback() || changesNoPod.test(undo))
        .flatMap(undo -> undo.workload(spec.group()))
        .map(before -> List.copyOf(before.pods().keySet()))
        .orElseGet(List::of);
  }

  /** A rollback restores the spec of the Group itself, which may differ from the Component's. */
  private static GroupSpec spec(TaskRef task, Component component, String name) {
    var before =
        task.rollback()
            ? Undo.of(task, component).flatMap(undo -> undo.groupSpec(name))
            : Optional.<GroupSpec>empty();
    if (before.isPresent()) {
      return before.get();
    }
    if (!ComponentSpecs.byName(component.getSpec()).containsKey(name)) {
      throw Faults.of(
          FaultKind.INVALID,
          "Component %s has no group %s".formatted(component.getMetadata().getName(), name));
    }
    return ComponentSpecs.groupSpec(component.getSpec(), name);
  }

  private static Group group(TaskRef task, Component component, GroupSpec spec) {
    var group = new Group();
    group.setMetadata(
        EngineObjects.owned(
            component,
            Labels.groupName(spec.app(), spec.component(), spec.group()),
            Labels.of(
                spec.app(),
                spec.component(),
                spec.group(),
                Labels.pluginName(spec.plugin().name(), spec.plugin().version()))));
    group.getMetadata().setAnnotations(Map.of(Labels.WRITTEN_BY, OntoObserved.writtenBy(task)));
    group.setSpec(spec);
    return group;
  }
}
