package io.middleware.engine.activities.actions;

import io.middleware.engine.activities.actions.GroupAction.ActionTarget;
import io.middleware.engine.activities.actions.GroupJob.JobTarget;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepId;
import io.middleware.engine.activities.resources.ActionJobs;
import io.middleware.engine.activities.resources.FinalHooks;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.agents.ActionOrder;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.operation.PluginActions;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ActionActivities;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.activity.Activity;
import java.time.Duration;
import java.util.Optional;

/** {@inheritDoc} */
public final class KubernetesActionActivities implements ActionActivities {
  private final PodStepContext context;
  private final EngineObjects engine;
  private final Plugins plugins;
  private final Operations operations;
  private final ActionAgents agents;
  private final ActionJobs jobs;
  private final SensitiveValues secrets;
  private final GroupHook hooks;

  /**
   * @param jobs run by no agent
   * @param finals told before a hook without a way back begins
   */
  public KubernetesActionActivities(
      PodStepContext context,
      EngineObjects engine,
      Plugins plugins,
      Operations operations,
      ActionAgents agents,
      ActionJobs jobs,
      SensitiveValues secrets,
      FinalHooks finals) {
    this.context = context;
    this.engine = engine;
    this.plugins = plugins;
    this.operations = operations;
    this.agents = agents;
    this.jobs = jobs;
    this.secrets = secrets;
    this.hooks = new GroupHook(context, engine, plugins, agents, secrets, finals);
  }

  /** Reads the parameters here: they may be confidential, and many people can read a history. */
  @Override
  public ActionsRun runAction(GroupRef group) {
    var runs = new ActionRuns(operations, secrets, group);
    var operation = runs.operation();
    var owner = engine.readable(group);
    var spec = owner.getSpec();
    var plugin = plugins.read(group.task(), spec.plugin());
    var action = action(plugin, spec, operation);
    var parameters = PluginActions.parameters(action, operation);
    secrets.remember(group.change().uid(), SensitiveParameters.of(action), parameters);
    if (action.isJob()) {
      var job = PluginActions.job(action, operation, spec);
      new GroupJob(context, jobs, runs, new JobTarget(group, owner, plugin, job)).run();
      return new ActionsRun(Optional.empty());
    }
    var order = order(action, operation);
    var limits = ActionPodLimits.of(action, operation);
    var choice = new ActionPodChoice(context, agents.queries(), plugin, limits, group);
    var uid = operation.getMetadata().getUid();
    var target = new ActionTarget(group, uid, order, AgentQueries.endpoint(plugin));
    new GroupAction(context, agents.actions(), runs, choice, target).run();
    return new ActionsRun(choice.degraded());
  }

  @Override
  public ActionsRun runHook(HookRequest request) {
    return hooks.run(request, StepId.of(Activity.getExecutionContext()));
  }

  private static ActionOrder order(PluginAction action, Operation operation) {
    return new ActionOrder(
        action.name(),
        PluginActions.parameters(action, operation),
        SpecDurations.parse(action.timeout()).orElse(Duration.ZERO),
        SpecDurations.parse(operation.getSpec().killTimeout()).orElse(ActionOrder.KILL_TIMEOUT));
  }

  private static PluginAction action(PluginSpec plugin, GroupSpec group, Operation operation) {
    var name = operation.getSpec().actionName();
    return new PluginActions(plugin)
        .find(group.type(), name)
        .orElseThrow(
            () ->
                Faults.of(
                    FaultKind.INVALID,
                    "Plugin %s %s has no action %s for component type %s any more"
                        .formatted(plugin.name(), plugin.version(), name, group.type())));
  }
}
