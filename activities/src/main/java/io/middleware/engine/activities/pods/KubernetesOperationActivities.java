package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.agents.AgentActions;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.Operations;
import io.middleware.engine.activities.kubernetes.Plugins;
import io.middleware.engine.activities.resources.EngineObjects;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.AgentEndpoint;
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

  /**
   * @param engine client with the engine's own rights
   * @param agents asked for roles
   */
  public KubernetesOperationActivities(
      PodStepContext context,
      KubernetesClient engine,
      Plugins plugins,
      AgentQueries agents,
      AgentActions actions) {
    this.context = context;
    this.operations = new Operations(engine);
    this.objects = new EngineObjects(engine);
    this.plugins = plugins;
    this.agents = agents;
    this.actions = actions;
  }

  @Override
  public void switchOver(GroupRef group) {
    new GroupSwitchover(context, operations, agents, actions, endpoint(group), group).run();
  }

  private AgentEndpoint endpoint(GroupRef ref) {
    return objects
        .group(ref.task(), ref.group())
        .map(Group::getSpec)
        .map(group -> AgentQueries.endpoint(plugins.read(ref.task(), group.plugin())))
        .orElseThrow(
            () ->
                Faults.of(
                    FaultKind.CONFLICT,
                    "Group %s of component %s does not exist or cannot be read"
                        .formatted(ref.group(), ref.task().component())));
  }
}
