package io.middleware.engine.planning.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.AppRendering;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.render.ActionJob;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.render.sensitive.SensitiveValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks what an action of the Plugin is before anything of it runs. */
public final class ActionRules {
  private final AppRendering rendering;
  private final SensitiveValues secrets;

  /**
   * @param secrets learn the parameters of each Operation
   */
  public ActionRules(AppRendering rendering, SensitiveValues secrets) {
    this.rendering = rendering;
    this.secrets = secrets;
  }

  /** An action that is about to begin in a group. */
  private record ActionInGroup(
      GroupSpec group, PluginAction action, Map<String, String> parameters) {}

  /**
   * The Jobs that an Operation will create. Groups where its action has begun are left out: what
   * must hold before may not hold any more, and a Job that exists cannot be written again.
   *
   * @param groups that the Operation works on, of component types that have its action
   * @throws AppRefusedException when a precondition does not hold, or when a Job cannot be rendered
   *     or is refused by the guard
   */
  public List<RenderedObject> jobs(
      App app, Plugin plugin, Operation operation, List<GroupSpec> groups) {
    var actions = actions(app, plugin, operation, groups);
    var unmet = actions.stream().flatMap(it -> unmet(app, plugin, it).stream()).distinct().toList();
    if (!unmet.isEmpty()) {
      throw new AppRefusedException(Reasons.OPERATION_REFUSED, String.join("; ", unmet));
    }
    return actions.stream()
        .filter(it -> it.action().isJob())
        .map(
            it ->
                rendering.renderJob(
                    app, plugin, it.group(), PluginActions.job(it.action(), operation, it.group())))
        .toList();
  }

  private List<ActionInGroup> actions(
      App app, Plugin plugin, Operation operation, List<GroupSpec> groups) {
    var actions = new ArrayList<ActionInGroup>();
    for (var group : groups) {
      if (!hasBegun(operation, group)) {
        var action =
            new PluginActions(plugin.getSpec())
                .find(group.type(), operation.getSpec().actionName())
                .orElseThrow();
        var parameters = PluginActions.parameters(action, operation);
        var sensitive = SensitiveParameters.of(action);
        secrets.remember(app.getMetadata().getUid(), sensitive, parameters);
        actions.add(new ActionInGroup(group, action, parameters));
      }
    }
    return actions;
  }

  private List<String> unmet(App app, Plugin plugin, ActionInGroup it) {
    return rendering.unmet(app, plugin, it.group(), it.action(), it.parameters()).stream()
        .map(
            why ->
                "spec.action: %s in group %s of component %s: %s"
                    .formatted(it.action().name(), it.group().group(), it.group().component(), why))
        .toList();
  }

  private static boolean hasBegun(Operation operation, GroupSpec group) {
    return Optional.ofNullable(operation.getStatus())
        .map(OperationStatus::runs)
        .orElseGet(List::of)
        .stream()
        .anyMatch(run -> isOf(run, group));
  }

  private static boolean isOf(ActionRun run, GroupSpec group) {
    return group.component().equals(run.component()) && group.group().equals(run.group());
  }

  /**
   * Checks all actions of a group's type without an Operation: with the defaults of their
   * parameters where each of them has one, otherwise without values.
   *
   * @throws AppRefusedException when a template has errors, or the guard refuses what it renders
   */
  public void check(App app, Plugin plugin, GroupSpec group) {
    new PluginCatalog(plugin.getSpec())
        .type(group.type()).stream()
            .flatMap(type -> PluginCatalog.actions(type).stream())
            .forEach(action -> check(app, plugin, group, action));
  }

  private void check(App app, Plugin plugin, GroupSpec group, PluginAction action) {
    rendering.check(plugin, group, action);
    if (action.isJob()) {
      example(action, group).ifPresent(job -> rendering.renderJob(app, plugin, group, job));
    }
  }

  private static Optional<ActionJob> example(PluginAction action, GroupSpec group) {
    var values = PluginActions.defaults(action);
    if (values.size() < PluginCatalog.parameters(action).size()) {
      return Optional.empty();
    }
    var name = Labels.groupName(group.app(), group.component(), group.group());
    return Optional.of(
        new ActionJob(
            action, name + "-" + action.name(), values, Optional.empty(), Optional.empty()));
  }
}
