package io.middleware.engine.planning;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Hooks;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.operation.PluginActions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The hooks that the tasks of a change run: those of the Plugin that the change is planned with.
 *
 * @param types of the components, by name
 * @param scaled the components of which groups get another number of pods
 */
record PlannedHooks(PluginSpec plugin, Map<String, String> types, Set<String> scaled) {

  static PlannedHooks ofChange(DesiredApp desiredApp, List<DeployedComponent> deployed) {
    var types = new HashMap<String, String>();
    var scaled = new HashSet<String>();
    var desired = desiredApp.components();
    desired.values().forEach(spec -> types.put(spec.component(), spec.type()));
    for (var was : deployed) {
      types.putIfAbsent(was.component(), was.spec().type());
      if (isScaled(was, Optional.ofNullable(desired.get(was.component())))) {
        scaled.add(was.component());
      }
    }
    return new PlannedHooks(desiredApp.plugin(), types, scaled);
  }

  static PlannedHooks ofDeletion(PluginSpec plugin, List<ComponentSpec> components) {
    var types =
        components.stream()
            .filter(spec -> spec.type() != null)
            .collect(toMap(ComponentSpec::component, ComponentSpec::type, (one, twin) -> one));
    return new PlannedHooks(plugin, types, Set.of());
  }

  /** The same plan, whose tasks run their hooks. */
  ChangePlan into(ChangePlan plan) {
    return plan.edited(
        task -> hooks(task).map(hooks -> task.with(hooks, description(task, hooks))).orElse(task));
  }

  private String description(ChangeTask task, TaskHooks hooks) {
    var own = ofType(task);
    return TaskDescriptions.with(
        hooks, point -> own.filter(it -> it.isFinal(point)).isPresent(), task.description());
  }

  private Optional<Hooks> ofType(ChangeTask task) {
    return Optional.ofNullable(types.get(task.component()))
        .flatMap(new PluginCatalog(plugin)::type)
        .map(ComponentType::hooks);
  }

  private Optional<TaskHooks> hooks(ChangeTask task) {
    return ofType(task)
        .map(
            own ->
                new TaskHooks(
                    hook(own, task, true).filter(it -> isKnown(task, it)),
                    hook(own, task, false).filter(it -> isKnown(task, it))))
        .filter(TaskHooks::exist);
  }

  private Optional<TaskHook> hook(Hooks hooks, ChangeTask task, boolean before) {
    return HookPoint.of(task.type())
        .filter(point -> point.isBefore() == before)
        .filter(point -> point != HookPoint.AFTER_SCALE || scaled.contains(task.component()))
        .flatMap(point -> hooks.at(point).map(action -> new TaskHook(point, action)).stream())
        .findFirst();
  }

  /** A deletion is carried out whatever the Plugin says, so it does without what there is not. */
  private boolean isKnown(ChangeTask task, TaskHook hook) {
    return new PluginActions(plugin).find(types.get(task.component()), hook.action()).isPresent();
  }

  /** Nobody knows whether an unfinished task has scaled a group, so its hook may be due. */
  private static boolean isScaled(DeployedComponent was, Optional<ComponentSpec> desired) {
    var groups = ComponentSpecs.byName(was.spec());
    return was.unfinished().contains(ChangeType.RESOURCES)
        || desired
            .map(spec -> ComponentSpecs.byName(spec).values())
            .filter(
                now ->
                    now.stream()
                        .filter(group -> groups.containsKey(group.name()))
                        .anyMatch(group -> replicas(group) != replicas(groups.get(group.name()))))
            .isPresent();
  }

  private static int replicas(GroupTemplate group) {
    return Objects.requireNonNullElse(group.replicas(), 1);
  }
}
