package io.middleware.engine.activities.pods;

import static io.middleware.engine.activities.agents.FakeAgent.endsWith;
import static io.middleware.engine.activities.kubernetes.Samples.readyAt;
import static io.middleware.engine.activities.kubernetes.Samples.set;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.agents.ActionOrder;
import io.middleware.engine.activities.agents.AgentActions;
import io.middleware.engine.activities.agents.AgentChannels;
import io.middleware.engine.activities.agents.AgentPolicy;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.agents.FakeAgent;
import io.middleware.engine.activities.apiserver.TestCluster;
import io.middleware.engine.activities.apiserver.TestEngine;
import io.middleware.engine.activities.kubernetes.FakeView;
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
import io.temporal.client.ActivityCanceledException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An Operation with the action {@code flush} on the ready pods db-0 and db-1, whose agents listen.
 */
final class ActionScene implements AutoCloseable {
  final FakeView view = new FakeView();
  final FakeAgent zero;
  final FakeAgent one;
  ChangeRef change;

  private final TestCluster cluster;
  private final TestEngine engine;
  private final AgentChannels channels = new AgentChannels(name -> null);

  ActionScene(TestCluster cluster, TestEngine engine) throws IOException {
    this.cluster = cluster;
    this.engine = engine;
    change = BegunAction.begin(cluster, engine, "flush-1", "flush");
    zero = new FakeAgent("127.0.0.10", 0);
    one = new FakeAgent("127.0.0.11", zero.port());
    zero.action = endsWith(0, "done by zero\n");
    one.action = endsWith(0, "done by one\n");
    view.sets.add(set(2, 1));
    view.pods.add(readyAt("db-0", "new", "127.0.0.10"));
    view.pods.add(readyAt("db-1", "new", "127.0.0.11"));
  }

  /** Runs the action once. */
  void run(ActionPods pods) {
    run(new ActionPodLimits(pods, Optional.empty(), Optional.empty()));
  }

  void run(ActionPodLimits limits) {
    var policy = new AgentPolicy(Duration.ofSeconds(5), 1, 65_536);
    var queries = new AgentQueries(channels, policy);
    var context = engine.steps(view, this::heartbeat);
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

  private void heartbeat(String message) {
    engine.heartbeats.add(message);
    if (engine.cancelled) {
      throw new ActivityCanceledException();
    }
  }

  private PluginSpec plugin() {
    return Serialization.unmarshal(
        "name: redis\nversion: 1.0.0\nagent: {port: %d}".formatted(zero.port()), PluginSpec.class);
  }

  /** The runs that the Operation shows. */
  List<ActionRun> runs() {
    return new Operations(cluster.client()).find(change).orElseThrow().getStatus().runs();
  }

  @Override
  public void close() {
    channels.close();
    zero.close();
    one.close();
  }
}
