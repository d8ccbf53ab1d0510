package io.middleware.engine.activities.plan;

import static java.util.stream.Collectors.toSet;

import io.middleware.engine.activities.kubernetes.Plugins;
import io.middleware.engine.activities.render.guard.RenderedObject;
import io.middleware.engine.activities.sensitive.SensitiveParameters;
import io.middleware.engine.activities.sensitive.SensitiveValues;
import io.middleware.engine.activities.status.OperationLock;
import io.middleware.engine.activities.status.OperationLock.Answer.Acquired;
import io.middleware.engine.activities.status.OperationLock.Answer.Refused;
import io.middleware.engine.api.App;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import io.middleware.engine.api.Plugin;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.OperationAction;
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
  private final OperationLock lock;
  private final ClusterReader cluster;
  private final Plugins plugins;
  private final AppRendering rendering;
  private final ServerSideDryRun dryRun;
  private final SpecHistory history;
  private final Planner planner;
  private final SensitiveValues secrets;

  OperationPlanning(
      OperationLock lock,
      ClusterReader cluster,
      Plugins plugins,
      AppRendering rendering,
      ServerSideDryRun dryRun,
      SpecHistory history,
      Planner planner,
      SensitiveValues secrets) {
    this.secrets = secrets;
    this.lock = lock;
    this.cluster = cluster;
    this.plugins = plugins;
    this.rendering = rendering;
    this.dryRun = dryRun;
    this.history = history;
    this.planner = planner;
  }

  PlanAnswer plan(ChangeRef change) {
    return switch (lock.acquire(change)) {
      case Acquired(var app, var operation) -> planned(app, operation);
      case Refused(var why) ->
          new PlanAnswer.NotBegun(change.subject() + " does not begin: " + why);
    };
  }

  private PlanAnswer planned(App app, Operation operation) {
    try {
      return validated(app, operation);
    } catch (AppRefusedException e) {
      return new PlanAnswer.Rejected(
          app.getMetadata().getGeneration(),
          e.refusal().reason(),
          secrets.hide(app.getMetadata().getUid(), e.refusal().message()));
    }
  }

  private PlanAnswer validated(App app, Operation operation) {
    if (app.getSpec() == null) {
      throw new AppRefusedException(
          Reasons.OPERATION_REFUSED, "the App cannot be read: " + cluster.why(app));
    }
    var earlier =
        EarlierTasks.done(Optional.ofNullable(operation.getStatus()).map(OperationStatus::tasks));
    var done = earlier.stream().map(task -> task.task().component()).collect(toSet());
    var targeted = OperationTargets.of(app, operation, cluster.deployed(app), done);
    var plugin = cluster.plugin(targeted.plugin());
    var revision = plugins.revision(plugin);
    plugin.setSpec(plugins.read(revision));
    var sensitive = SensitiveParameters.of(plugin.getSpec());
    var actions = new PluginActions(plugin.getSpec());
    if (earlier.isEmpty()) {
      require(actions.problems(operation, targeted.left()));
    }
    var components = actions.offering(operation, targeted.left());
    var groups = groups(operation, components);
    groups.forEach(
        group -> secrets.remember(app.getMetadata().getUid(), sensitive, group.values()));
    dryRun.run(app, checked(app, plugin, operation, groups), Set.of());
    history.keep(app, sensitive);
    plugins.keep(plugin, revision);
    var stages = earlier.stream().mapToInt(task -> task.task().stage() + 1).max().orElse(0);
    var plan =
        planner
            .operation(app, operation, plugin.getSpec(), components)
            .after(stages)
            .held(app.isPaused())
            .with(revision);
    return new PlanAnswer.Planned(plan, earlier);
  }

  /** What the Operation writes: the objects of its groups, or the Jobs of its action. */
  private List<RenderedObject> checked(
      App app, Plugin plugin, Operation operation, List<GroupSpec> groups) {
    if (operation.getSpec().action() == OperationAction.PLUGIN) {
      return new ActionChecks(rendering, secrets).jobs(app, plugin, operation, groups);
    }
    var rendered = rendered(app, plugin, groups);
    require(operation, plugin.getSpec(), rendered);
    return rendered.values().stream().flatMap(List::stream).toList();
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
