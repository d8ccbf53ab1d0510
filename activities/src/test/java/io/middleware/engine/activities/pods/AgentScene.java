package io.middleware.engine.activities.pods;

import static io.middleware.engine.activities.agents.FakeAgent.endsWith;
import static io.middleware.engine.activities.kubernetes.Samples.readyAt;
import static io.middleware.engine.activities.kubernetes.Samples.set;

import io.middleware.engine.activities.agents.AgentChannels;
import io.middleware.engine.activities.agents.AgentPolicy;
import io.middleware.engine.activities.agents.FakeAgent;
import io.middleware.engine.activities.apiserver.TestCluster;
import io.middleware.engine.activities.apiserver.TestEngine;
import io.middleware.engine.activities.kubernetes.FakeView;
import io.temporal.client.ActivityCanceledException;
import java.io.IOException;
import java.time.Duration;

/** The ready pods db-0 and db-1 of a group, whose agents listen and end each action well. */
abstract class AgentScene implements AutoCloseable {
  final FakeView view = new FakeView();
  final FakeAgent zero;
  final FakeAgent one;

  final TestCluster cluster;
  final TestEngine engine;
  final AgentChannels channels = new AgentChannels(name -> null);
  final AgentPolicy policy = new AgentPolicy(Duration.ofSeconds(5), 1, 65_536);

  AgentScene(TestCluster cluster, TestEngine engine) throws IOException {
    this.cluster = cluster;
    this.engine = engine;
    zero = new FakeAgent("127.0.0.10", 0);
    one = new FakeAgent("127.0.0.11", zero.port());
    zero.action = endsWith(0, "done by zero\n");
    one.action = endsWith(0, "done by one\n");
    view.sets.add(set(2, 1));
    view.pods.add(readyAt("db-0", "new", "127.0.0.10"));
    view.pods.add(readyAt("db-1", "new", "127.0.0.11"));
  }

  /** Of a step that the test may cancel. */
  PodStepContext context() {
    return engine.steps(view, this::heartbeat);
  }

  private void heartbeat(String message) {
    engine.heartbeats.add(message);
    if (engine.cancelled) {
      throw new ActivityCanceledException();
    }
  }

  @Override
  public void close() {
    channels.close();
    zero.close();
    one.close();
  }
}
