package io.middleware.engine.activities.actions;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.actions.GroupAction.ActionTarget;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.pods.AgentScene;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.plugin.ActionPods;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.agents.ActionOrder;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An Operation with the action {@code flush} on the ready pods db-0 and db-1, whose agents listen.
 */
public final class ActionScene extends AgentScene {
  ChangeRef change;

  public ActionScene(LocalNamespace cluster, LocalEngine engine) throws IOException {
    super(cluster, engine);
    change = BegunAction.begin(cluster, engine, "flush-1", "flush");
  }

  /** Runs the action once. */
  public void run(ActionPods pods) {
    run(new ActionPodLimits(pods, Optional.empty(), Optional.empty()));
  }

  public void run(ActionPodLimits limits) {
    var queries = new AgentQueries(channels, policy);
    var context = context();
    var group = new GroupRef(new TaskRef(change, "1-action-db-1234", ChangeType.ACTION, "db"), "g");
    var order = new ActionOrder("flush", Map.of("db", "0"), Duration.ZERO, Duration.ofSeconds(30));
    new GroupAction(
            context,
            new AgentActions(channels, policy),
            new ActionRuns(new Operations(cluster.client()), engine.secrets, group),
            new ActionPodChoice(context, queries, plugin(), limits, group),
            new ActionTarget(group, "uid", order, new AgentEndpoint(zero.port(), "")))
        .run();
  }

  private PluginSpec plugin() {
    return Serialization.unmarshal(
        "name: redis\nversion: 1.0.0\nagent: {port: %d}".formatted(zero.port()), PluginSpec.class);
  }

  /** The runs that the Operation shows. */
  public List<ActionRun> runs() {
    return new Operations(cluster.client()).find(change).orElseThrow().getStatus().runs();
  }
}
