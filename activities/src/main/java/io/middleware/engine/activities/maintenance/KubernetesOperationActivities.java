package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.rotation.ComponentRotation;
import io.middleware.engine.activities.volumes.VolumeClaims;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.planning.operation.OperationTargets;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OperationActivities;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.function.Function;

/** {@inheritDoc} */
public final class KubernetesOperationActivities implements OperationActivities {
  private final PodStepContext context;
  private final EngineObjects engine;
  private final Plugins plugins;
  private final Operations operations;
  private final AgentQueries agents;
  private final AgentActions actions;
  private final VolumeClaims claims;
  private final Function<TaskRef, ComponentRotation> rotations;

  /**
   * @param agents asked for roles and orders
   * @param claims of the pods that are rebuilt
   * @param rotations of the secrets of a task's component
   */
  public KubernetesOperationActivities(
      PodStepContext context,
      EngineObjects engine,
      Plugins plugins,
      Operations operations,
      AgentQueries agents,
      AgentActions actions,
      VolumeClaims claims,
      Function<TaskRef, ComponentRotation> rotations) {
    this.context = context;
    this.engine = engine;
    this.plugins = plugins;
    this.operations = operations;
    this.agents = agents;
    this.actions = actions;
    this.claims = claims;
    this.rotations = rotations;
  }

  @Override
  public void switchOver(GroupRef group) {
    var endpoint = AgentQueries.endpoint(plugin(group));
    new GroupSwitchover(context, operations, agents, actions, endpoint, group).run();
  }

  @Override
  public void rebuild(GroupRef group) {
    new GroupRebuild(context, claims, operations, agents, plugin(group), group).run();
  }

  @Override
  public SecretsPublished publishSecrets(TaskRef task) {
    rotations.apply(task).publish();
    return new SecretsPublished(
        operations
            .find(task.change())
            .filter(it -> it.getSpec() != null)
            .map(OperationTargets::grace)
            .orElseThrow(
                () ->
                    Faults.of(
                        FaultKind.SUPERSEDED,
                        "%s is gone; the earlier secrets of %s still work: create another Operation"
                            .formatted(task.change().subject(), task.component()))));
  }

  @Override
  public void retireSecrets(TaskRef task) {
    rotations.apply(task).retire();
  }

  private PluginSpec plugin(GroupRef group) {
    return plugins.read(group.task(), engine.spec(group).plugin());
  }
}
