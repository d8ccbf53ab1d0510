package io.middleware.engine.activities.actions;

import io.middleware.engine.activities.actions.GroupAction.ActionTarget;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.resources.FinalHooks;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.plugin.ActionPods;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.ActionOrder;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.operation.PluginActions;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ActionActivities.ActionsRun;
import io.middleware.engine.workflows.port.ActionActivities.HookRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Runs a hook on the pods of one group. Its action is that of the Plugin that the task is planned
 * with. Before an upgrade the agents are still those of the deployed Plugin.
 */
final class GroupHook {
  private final PodStepContext context;
  private final EngineObjects engine;
  private final Plugins plugins;
  private final ActionAgents agents;
  private final SensitiveValues secrets;
  private final FinalHooks finals;

  /**
   * @param finals told before a hook without a way back begins
   */
  GroupHook(
      PodStepContext context,
      EngineObjects engine,
      Plugins plugins,
      ActionAgents agents,
      SensitiveValues secrets,
      FinalHooks finals) {
    this.finals = finals;
    this.context = context;
    this.engine = engine;
    this.plugins = plugins;
    this.agents = agents;
    this.secrets = secrets;
  }

  /**
   * @param step names the step for agents; the same when it is repeated
   */
  ActionsRun run(HookRequest request, String step) {
    return spec(request)
        .filter(group -> hasPods(request, group))
        .map(group -> run(request, group, step))
        .orElseGet(() -> new ActionsRun(Optional.empty()));
  }

  /** A group may be removed already in part, or was never made. */
  private Optional<GroupSpec> spec(HookRequest request) {
    var group = request.group();
    return request.hook().point().isBefore()
        ? engine.group(group.task(), group.group()).map(Group::getSpec)
        : Optional.of(engine.spec(group));
  }

  private boolean hasPods(HookRequest request, GroupSpec spec) {
    var group = request.group();
    var key = AppKey.of(group.change());
    return !spec.isStopped()
        && context
            .view()
            .statefulSet(key, group.task().component(), group.group())
            .map(set -> Rollout.replicas(set) > 0)
            .orElse(false);
  }

  private ActionsRun run(HookRequest request, GroupSpec spec, String step) {
    var group = request.group();
    var point = request.hook().point();
    var deployed = plugins.read(group.task(), spec.plugin());
    if (!deployed.hasAgents()) {
      report(
          request,
          step,
          "Plugin %s %s, of which group %s is made, has no agents"
              .formatted(deployed.name(), deployed.version(), group.group()));
      return new ActionsRun(Optional.empty());
    }
    var action = action(request, spec, deployed);
    if (action.pods() == ActionPods.ANY_REPLICA
        && Objects.requireNonNullElse(spec.replicas(), 1) == 1) {
      report(
          request, step, "group %s has one pod, which is not a replica".formatted(group.group()));
      return new ActionsRun(Optional.empty());
    }
    var order = order(action);
    secrets.remember(group.change().uid(), SensitiveParameters.of(action), order.parameters());
    var endpoint = AgentQueries.endpoint(deployed);
    var target = new ActionTarget(group, step, order, endpoint, Optional.of(point));
    var choice =
        new ActionPodChoice(
            context,
            agents.queries(),
            deployed,
            ActionPodLimits.of(action),
            group,
            point.isBefore());
    var runs = new HookRuns(group.task().component(), group.group());
    if (isFinal(request, spec, deployed)) {
      finals.begin(group.task(), request.hook());
    }
    new GroupAction(context, agents.actions(), runs, choice, target).run();
    Rollout.firstFew(choice.leftOut(runs.byPod())).ifPresent(why -> report(request, step, why));
    return new ActionsRun(choice.degraded());
  }

  private static ActionOrder order(PluginAction action) {
    return new ActionOrder(
        action.name(),
        PluginActions.defaults(action),
        SpecDurations.parse(action.timeout()).orElse(Duration.ZERO),
        ActionOrder.KILL_TIMEOUT);
  }

  private boolean isFinal(HookRequest request, GroupSpec spec, PluginSpec deployed) {
    return new PluginCatalog(planned(request, deployed))
        .type(spec.type())
        .map(ComponentType::hooks)
        .filter(hooks -> hooks.isFinal(request.hook().point()))
        .isPresent();
  }

  private PluginSpec planned(HookRequest request, PluginSpec deployed) {
    return request.group().task().pluginRevision().map(plugins::read).orElse(deployed);
  }

  private PluginAction action(HookRequest request, GroupSpec spec, PluginSpec deployed) {
    var plugin = planned(request, deployed);
    return new PluginActions(plugin)
        .find(spec.type(), request.hook().action())
        .orElseThrow(
            () ->
                failure(
                    request,
                    "Plugin %s %s has no such action for component type %s any more"
                        .formatted(plugin.name(), plugin.version(), spec.type())));
  }

  private static RuntimeException failure(HookRequest request, String why) {
    return Faults.of(
        FaultKind.HOOK_FAILED,
        "hook %s: action %s: %s"
            .formatted(request.hook().point().label(), request.hook().action(), why));
  }

  private void report(HookRequest request, String step, String why) {
    context
        .reporter()
        .hookNotRun(
            context.gate().check(request.change()),
            step,
            "hook %s: %s has not run on every pod, and the task goes on: %s"
                .formatted(request.hook().point().label(), request.hook().action(), why));
  }
}
