package io.middleware.engine.activities.pods;

import static io.middleware.engine.activities.agents.FakeAgent.endsWith;
import static io.middleware.engine.activities.kubernetes.Samples.readyAt;
import static io.middleware.engine.activities.kubernetes.Samples.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.activities.agents.ActionOrder;
import io.middleware.engine.activities.agents.AgentActions;
import io.middleware.engine.activities.agents.AgentChannels;
import io.middleware.engine.activities.agents.AgentPolicy;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.agents.FakeAgent;
import io.middleware.engine.activities.apiserver.ApiServer;
import io.middleware.engine.activities.apiserver.TestCluster;
import io.middleware.engine.activities.apiserver.TestEngine;
import io.middleware.engine.activities.kubernetes.FakeView;
import io.middleware.engine.activities.kubernetes.Operations;
import io.middleware.engine.activities.pods.GroupAction.ActionTarget;
import io.middleware.engine.api.ActionPods;
import io.middleware.engine.api.ActionRun;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.proto.tool.v1.StopActionResponse;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cancel of an action on the pods db-0 and db-1 of a group. */
@ExtendWith(ApiServer.class)
class GroupActionCancelIT {
  private final TestCluster cluster;
  private final TestEngine engine;
  private final FakeView view = new FakeView();
  private final AgentChannels channels = new AgentChannels(name -> null);
  private ChangeRef change;
  private FakeAgent zero;
  private FakeAgent one;

  GroupActionCancelIT(TestCluster cluster) {
    this.cluster = cluster;
    this.engine = new TestEngine(cluster);
  }

  @BeforeEach
  void start() throws IOException {
    change = BegunAction.begin(cluster, engine, "flush-1", "flush");
    zero = new FakeAgent("127.0.0.10", 0);
    one = new FakeAgent("127.0.0.11", zero.port());
    zero.action = endsWith(0, "done by zero\n");
    one.action = endsWith(0, "done by one\n");
    view.sets.add(set(2, 1));
    view.pods.add(readyAt("db-0", "new", "127.0.0.10"));
    view.pods.add(readyAt("db-1", "new", "127.0.0.11"));
  }

  @AfterEach
  void stop() {
    channels.close();
    zero.close();
    one.close();
  }

  @Test
  void shouldTerminateTheActionWhenItIsCancelled() {
    // Given
    var asked = new AtomicInteger();
    zero.action = to -> asked.incrementAndGet();
    var running = CompletableFuture.runAsync(() -> run());
    cluster.await().until(() -> asked.get() == 1);
    // When
    engine.cancelled = true;
    // Then
    assertThatThrownBy(running::join).hasCauseInstanceOf(ActivityCanceledException.class);
    cluster.await().until(() -> zero.cancelled.get() == 1);
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Cancelled");
  }

  @Test
  void shouldEndAfterTheCancelledActionHasEnded() {
    // Given
    var stops = new LinkedBlockingQueue<StreamObserver<StopActionResponse>>();
    zero.action = to -> {};
    zero.stop = stops::add;
    var running = CompletableFuture.runAsync(() -> run());
    cluster.await().until(() -> !zero.actionIds.isEmpty());
    engine.cancelled = true;
    // When
    cluster.await().until(() -> !stops.isEmpty());
    // Then
    assertThat(zero.calls).contains("stop " + zero.actionIds.getFirst());
    stops.remove().onError(Status.UNAVAILABLE.asRuntimeException());
    cluster.await().until(() -> !stops.isEmpty()); // asked again, as by a worker that reconnects
    var heartbeats = engine.heartbeats.size();
    cluster.await().until(() -> engine.heartbeats.size() > heartbeats + 2);
    assertThat(running).isNotDone();
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Running");
    FakeAgent.stopped(stops.remove());
    assertThatThrownBy(running::join).hasCauseInstanceOf(ActivityCanceledException.class);
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Cancelled");
  }

  @Test
  void shouldNotWaitForTheEndOfAnActionWhosePodIsGone() {
    // Given
    zero.action = to -> {};
    zero.stop = to -> {};
    var running = CompletableFuture.runAsync(() -> run());
    cluster.await().until(() -> !zero.actionIds.isEmpty());
    engine.cancelled = true;
    cluster.await().until(() -> zero.calls.stream().anyMatch(call -> call.startsWith("stop ")));
    // When
    view.pods.removeIf(pod -> pod.name().equals("db-0"));
    // Then
    assertThatThrownBy(running::join).hasCauseInstanceOf(ActivityCanceledException.class);
  }

  private void run() {
    var limits = new ActionPodLimits(ActionPods.EACH, Optional.empty(), Optional.empty());
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

  private List<ActionRun> runs() {
    return new Operations(cluster.client()).find(change).orElseThrow().getStatus().runs();
  }
}
