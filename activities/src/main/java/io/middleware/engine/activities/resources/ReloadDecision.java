package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.PlannedReloads;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Optional;

/**
 * Decides whether the running pods of a group must reload their configuration for a task or its
 * rollback. The decision uses what the task has kept on its Component, so a repeat decides alike.
 */
final class ReloadDecision {
  private final App app;
  private final TaskRef task;
  private final Component component;

  /**
   * @param app with the spec that the change carries out
   * @param component on which the task has begun
   */
  ReloadDecision(App app, TaskRef task, Component component) {
    this.app = app;
    this.task = task;
    this.component = component;
  }

  /**
   * @param group as the task, or its rollback, writes it
   */
  boolean isNeeded(GroupSpec group, PluginSpec plugin) {
    return PlannedReloads.bringsValues(task.type()) && differs(group, plugin);
  }

  /** Whether running pods may still use other values than the group's. */
  boolean differs(GroupSpec group, PluginSpec plugin) {
    return Undo.of(task, component)
        .filter(
            undo ->
                PlannedReloads.areWanted(
                    plugin,
                    group,
                    before(undo, group.group()).flatMap(spec -> undo.from(spec, plugin)),
                    undo.unfinished()))
        .isPresent();
  }

  /** The group as it was before this step: before the task, or before its rollback. */
  private Optional<GroupSpec> before(Undo undo, String group) {
    return task.rollback()
        ? CarriedSpec.desired(app, task)
            .map(desired -> ComponentSpecs.carry(undo.requireSpec(), desired, task.type()))
            .filter(forwards -> ComponentSpecs.byName(forwards).containsKey(group))
            .map(forwards -> ComponentSpecs.groupSpec(forwards, group))
        : undo.groupSpec(group);
  }
}
