package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.agents.AgentActions;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.Operations;
import io.middleware.engine.activities.kubernetes.Plugins;
import io.middleware.engine.activities.resources.EngineObjects;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OperationActivities;

/** {@inheritDoc} */
public final class KubernetesOperationActivities implements OperationActivities {
  private final PodStepContext context;
  private final Operations operations;
  private final EngineObjects objects;
  private final Plugins plugins;
  private final AgentQueries agents;
  private final AgentActions actions;
  private final VolumeClaims claims;

  /**
   * @param engine client with the engine's own rights
   * @param agents asked for roles and orders
   * @param claims of the pods that are made anew
   */
  public KubernetesOperationActivities(
      PodStepContext context,
      KubernetesClient engine,
      Plugins plugins,
      AgentQueries agents,
      AgentActions actions,
      VolumeClaims claims) {
    this.context = context;
    this.operations = new Operations(engine);
    this.objects = new EngineObjects(engine);
    this.plugins = plugins;
    this.agents = agents;
    this.actions = actions;
    this.claims = claims;
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

  private PluginSpec plugin(GroupRef ref) {
    return objects
        .group(ref.task(), ref.group())
        .map(Group::getSpec)
        .map(group -> plugins.read(ref.task(), group.plugin()))
        .orElseThrow(
            () ->
                Faults.of(
                    FaultKind.CONFLICT,
                    "Group %s of component %s does not exist or cannot be read"
                        .formatted(ref.group(), ref.task().component())));
  }
}
