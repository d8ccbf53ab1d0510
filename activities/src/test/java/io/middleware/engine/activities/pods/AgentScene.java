package io.middleware.engine.activities.pods;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.agents.FakeAgent.endsWith;

import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.temporal.client.ActivityCanceledException;
import java.io.IOException;
import java.time.Duration;

/** The ready pods db-0 and db-1 of a group, whose agents listen and end each action well. */
public abstract class AgentScene implements AutoCloseable {
  public final FakeView view = new FakeView();
  public final FakeAgent zero;
  public final FakeAgent one;

  public final LocalNamespace cluster;
  public final LocalEngine engine;
  public final AgentChannels channels = new AgentChannels(name -> null);
  public final AgentPolicy policy = new AgentPolicy(Duration.ofSeconds(5), 1, 65_536);

  public AgentScene(LocalNamespace cluster, LocalEngine engine) throws IOException {
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
  public PodStepContext context() {
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
