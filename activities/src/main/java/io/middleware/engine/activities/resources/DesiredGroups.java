package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.kubernetes.ClaimSize;
import io.middleware.engine.activities.kubernetes.ClaimTemplates;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.plan.ComponentSpecs;
import io.middleware.engine.activities.render.guard.RenderedObjects;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;

/** What a task wants of a group, as the Component says that the task has been opened on. */
public final class DesiredGroups {
  private final EngineObjects engine;
  private final GroupRendering rendering;

  public DesiredGroups(EngineObjects engine, GroupRendering rendering) {
    this.engine = engine;
    this.rendering = rendering;
  }

  /**
   * A Group and its objects, none of them written.
   *
   * @param agents of its pods
   * @param reload whether its running pods have to reload what the task brings
   * @param keepsPods whether the task leaves alone the pods that are out of date
   */
  record WantedGroup(
      Group group,
      RenderedObjects objects,
      AgentEndpoint agents,
      boolean reload,
      boolean keepsPods) {}

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind CONFLICT when there is no Component, of
   *     kind INVALID when it has no such group or its objects cannot be rendered
   */
  WantedGroup of(App app, GroupRef ref) {
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
    var wanted = group(component, spec(task, component, ref.group()));
    var spec = wanted.getSpec();
    var plugin = rendering.plugin(spec);
    var objects = rendering.render(plugin, app, spec);
    return new WantedGroup(
        wanted,
        objects,
        AgentQueries.endpoint(plugin),
        new GroupReload(app, task, component).isWanted(spec, plugin),
        task.type() == ChangeType.STORAGE
            && !VolumeSizeInTemplate.isShown(
                spec, objects, other -> rendering.render(plugin, app, other)));
  }

  /**
   * The plugin that a group is built by.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it is missing or unreadable
   */
  PluginSpec plugin(GroupSpec group) {
    return rendering.plugin(group);
  }

  /** The sizes that the group's volumes are to have; fails as the steps that write the group do. */
  public List<ClaimSize> volumes(App app, GroupRef ref) {
    return of(app, ref).objects().inOrder().stream()
        .flatMap(o -> ClaimTemplates.sizes(o.kind().kind(), o.name(), o.tree()).stream())
        .toList();
  }

  /** A rollback brings back what the group itself said, wherever the Component stood. */
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

  private static Group group(Component component, GroupSpec spec) {
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
    group.setSpec(spec);
    return group;
  }
}
