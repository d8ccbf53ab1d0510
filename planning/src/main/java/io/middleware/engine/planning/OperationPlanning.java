package io.middleware.engine.planning;

import static java.util.stream.Collectors.toSet;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.runlock.OperationLock.Answer.Acquired;
import io.middleware.engine.cluster.runlock.OperationLock.Answer.Refused;
import io.middleware.engine.cluster.runlock.RunLocks;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.AppRendering;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.operation.ActionRules;
import io.middleware.engine.planning.operation.OperationTargets;
import io.middleware.engine.planning.operation.PluginActions;
import io.middleware.engine.planning.operation.RenderedPods;
import io.middleware.engine.planning.operation.RotationRules;
import io.middleware.engine.planning.operation.TargetedPods;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plans an Operation from what is deployed; the App's spec says only how. What an earlier run of
 * the Operation has done is not done again.
 */
final class OperationPlanning {
  /** They write the groups as their Plugin is now. */
  private static final Set<OperationAction> WRITING =
      Set.of(OperationAction.RESTART, OperationAction.REAPPLY);

  private final RunLocks locks;
  private final ClusterReader cluster;
  private final Plugins plugins;
  private final AppRendering rendering;
  private final ServerSideDryRun dryRun;
  private final SpecHistory history;
  private final Planner planner;
  private final SensitiveValues secrets;

  OperationPlanning(
      RunLocks locks,
      ClusterReader cluster,
      Plugins plugins,
      AppRendering rendering,
      ServerSideDryRun dryRun,
      SpecHistory history,
      Planner planner,
      SensitiveValues secrets) {
    this.secrets = secrets;
    this.locks = locks;
    this.cluster = cluster;
    this.plugins = plugins;
    this.rendering = rendering;
    this.dryRun = dryRun;
    this.history = history;
    this.planner = planner;
  }

  PlanAnswer plan(ChangeRef change) {
    return switch (locks.acquireFor(change)) {
      case Acquired(var app, var operation) -> planned(change, app, operation);
      case Refused(var why) ->
          new PlanAnswer.NotBegun(change.subject() + " does not begin: " + why);
    };
  }

  private PlanAnswer planned(ChangeRef change, App app, Operation operation) {
    try {
      return validated(change, app, operation);
    } catch (AppRefusedException e) {
      var message = secrets.hide(app.getMetadata().getUid(), e.refusal().message());
      if (change.shared() && isChanging(app)) {
        throw Faults.of(FaultKind.UNAVAILABLE, message + "; a change of the App is under way");
      }
      return new PlanAnswer.Rejected(
          app.getMetadata().getGeneration(), e.refusal().reason(), message);
    }
  }

  /** What is deployed may be other things in a moment. */
  private static boolean isChanging(App app) {
    return Optional.ofNullable(app.getStatus())
        .map(AppStatus::change)
        .filter(last -> last.outcome() == null)
        .isPresent();
  }

  private PlanAnswer validated(ChangeRef change, App app, Operation operation) {
    if (app.getSpec() == null) {
      throw new AppRefusedException(
          Reasons.OPERATION_REFUSED, "the App cannot be read: " + cluster.why(app));
    }
    var earlier =
        EarlierTasks.done(Optional.ofNullable(operation.getStatus()).map(OperationStatus::tasks));
    var done = earlier.stream().map(task -> task.task().component()).collect(toSet());
    var deployed = deployed(change, app);
    var targeted = OperationTargets.of(app, operation, deployed, done);
    var plugin = cluster.plugin(app, targeted.plugin());
    var revision = plugins.revision(plugin);
    plugin.setSpec(plugins.read(revision));
    var sensitive = SensitiveParameters.of(plugin.getSpec());
    var actions = new PluginActions(plugin.getSpec());
    require(earlier.isEmpty() ? actions.problems(operation, targeted.left()) : List.of());
    require(change.shared() ? actions.exclusive(operation) : List.of());
    var offering = actions.offering(operation, targeted.left());
    var components = RotationRules.rotating(operation, plugin.getSpec(), offering, deployed);
    require(
        earlier.isEmpty()
            ? RotationRules.problems(operation, plugin.getSpec(), components)
            : List.of());
    var groups = groups(operation, components);
    groups.forEach(
        group -> secrets.remember(app.getMetadata().getUid(), sensitive, group.values()));
    dryRun.run(app, checked(app, plugin, operation, components, groups), Set.of());
    if (!change.shared()) {
      history.keep(app, sensitive);
    }
    plugins.keep(plugin, revision);
    var stages = earlier.stream().mapToInt(task -> task.task().stage() + 1).max().orElse(0);
    var plan =
        planner
            .operation(app, operation, plugin.getSpec(), components)
            .after(stages)
            .held(app.isPaused() && !change.shared())
            .with(revision);
    return new PlanAnswer.Planned(plan, earlier);
  }

  /** What the Operation writes: the objects of its groups, or the Jobs of its action. */
  private List<RenderedObject> checked(
      App app,
      Plugin plugin,
      Operation operation,
      List<DeployedComponent> components,
      List<GroupSpec> groups) {
    if (operation.getSpec().action() == OperationAction.PLUGIN) {
      return new ActionRules(rendering, secrets).jobs(app, plugin, operation, groups);
    }
    var rendered = rendered(app, plugin, groups);
    require(operation, plugin.getSpec(), rendered);
    var objects = rendered.values().stream().flatMap(List::stream).toList();
    require(
        WRITING.contains(operation.getSpec().action())
            ? EditedPlugin.problems(plugin.getSpec(), components, objects)
            : List.of());
    return objects;
  }

  private List<DeployedComponent> deployed(ChangeRef change, App app) {
    var deployed = cluster.deployed(app);
    return change.shared()
        ? deployed.stream().map(DeployedComponent::besideChanges).toList()
        : deployed;
  }

  private static void require(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new AppRefusedException(Reasons.OPERATION_REFUSED, String.join("; ", problems));
    }
  }

  /** The groups as they will be. */
  private static List<GroupSpec> groups(Operation operation, List<DeployedComponent> components) {
    return components.stream()
        .map(DeployedComponent::spec)
        .flatMap(
            spec ->
                OperationTargets.groups(operation, spec).stream()
                    .map(
                        group ->
                            ComponentSpecs.groupSpec(
                                OperationTargets.begun(operation, spec, group), group)))
        .toList();
  }

  private Map<GroupSpec, List<RenderedObject>> rendered(
      App app, Plugin plugin, List<GroupSpec> groups) {
    var rendered = new LinkedHashMap<GroupSpec, List<RenderedObject>>();
    var once = rendering.forOnePlan();
    groups.forEach(group -> rendered.put(group, once.render(app, plugin, group)));
    return rendered;
  }

  private static void require(
      Operation operation, PluginSpec plugin, Map<GroupSpec, List<RenderedObject>> rendered) {
    var groups =
        rendered.entrySet().stream()
            .map(group -> RenderedPods.of(group.getKey(), group.getValue()))
            .toList();
    require(TargetedPods.problems(operation, plugin, groups));
  }
}
