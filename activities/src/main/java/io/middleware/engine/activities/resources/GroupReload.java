package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.plan.ComponentSpecs;
import io.middleware.engine.activities.plan.GroupReloads;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Optional;

/**
 * Whether the running pods of a group have to reload what a task, or its rollback, brings. Told by
 * what the task has kept on its Component, so that a repeat comes to the same.
 */
final class GroupReload {
  private final App app;
  private final TaskRef task;
  private final Component component;

  /**
   * @param app with the spec that the change carries out
   * @param component opened by the task
   */
  GroupReload(App app, TaskRef task, Component component) {
    this.app = app;
    this.task = task;
    this.component = component;
  }

  /**
   * @param group as the task, or its rollback, wants it
   */
  boolean isWanted(GroupSpec group, PluginSpec plugin) {
    return GroupReloads.bringsValues(task.type()) && differs(group, plugin);
  }

  /** Whether running pods need not have in force what the group, built by this plugin, wants. */
  boolean differs(GroupSpec group, PluginSpec plugin) {
    return Undo.of(task, component)
        .filter(
            undo ->
                GroupReloads.areWanted(plugin, group, left(undo, group.group()), undo.unfinished()))
        .isPresent();
  }

  /** The group as it is left: by what was before the task, or by the task on its way back. */
  private Optional<GroupSpec> left(Undo undo, String group) {
    return task.rollback()
        ? ComponentTransaction.desired(app, task)
            .map(desired -> ComponentSpecs.carry(undo.requireSpec(), desired, task.type()))
            .filter(forwards -> ComponentSpecs.byName(forwards).containsKey(group))
            .map(forwards -> ComponentSpecs.groupSpec(forwards, group))
        : undo.groupSpec(group);
  }
}
