package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.agents.ActionOrder;
import io.middleware.engine.activities.agents.AgentActions;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.apiserver.TestCluster;
import io.middleware.engine.activities.apiserver.TestEngine;
import io.middleware.engine.activities.kubernetes.Operations;
import io.middleware.engine.activities.pods.GroupAction.ActionTarget;
import io.middleware.engine.api.ActionPods;
import io.middleware.engine.api.ActionRun;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
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
final class ActionScene extends AgentScene {
  ChangeRef change;

  ActionScene(TestCluster cluster, TestEngine engine) throws IOException {
    super(cluster, engine);
    change = BegunAction.begin(cluster, engine, "flush-1", "flush");
  }

  /** Runs the action once. */
  void run(ActionPods pods) {
    run(new ActionPodLimits(pods, Optional.empty(), Optional.empty()));
  }

  void run(ActionPodLimits limits) {
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
  List<ActionRun> runs() {
    return new Operations(cluster.client()).find(change).orElseThrow().getStatus().runs();
  }
}
