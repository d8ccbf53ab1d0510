package io.middleware.engine.activities.pods;

import static io.middleware.engine.activities.agents.FakeAgent.endsWith;
import static io.middleware.engine.activities.kubernetes.Samples.readyAt;
import static io.middleware.engine.activities.kubernetes.Samples.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.Status;
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
import io.middleware.engine.api.TargetRole;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An action on the pods db-0 and db-1 of a group. */
@ExtendWith(ApiServer.class)
class GroupActionIT {
  private final TestCluster cluster;
  private final TestEngine engine;
  private final FakeView view = new FakeView();
  private final AgentChannels channels = new AgentChannels(name -> null);
  private ChangeRef change;
  private FakeAgent zero;
  private FakeAgent one;

  GroupActionIT(TestCluster cluster) {
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
  void shouldRunOnEachPodInTheAgentsOrder() {
    // Given
    zero.order = List::reversed;
    one.order = List::reversed;
    // When
    run(ActionPods.EACH);
    // Then
    assertThat(runs())
        .extracting(ActionRun::pod, ActionRun::status, ActionRun::exitCode, ActionRun::output)
        .containsExactly(
            tuple("db-1", "Succeeded", 0, "done by one\n"),
            tuple("db-0", "Succeeded", 0, "done by zero\n"));
    assertThat(actions(zero)).containsExactly("run flush {db=0}");
    // and a repeat runs nothing again
    run(ActionPods.EACH);
    assertThat(actions(zero)).hasSize(1);
  }

  @Test
  void shouldAttachToARunInProgress() {
    // Given
    zero.action = to -> to.onError(Status.UNAVAILABLE.asRuntimeException());
    var first = CompletableFuture.runAsync(() -> run(ActionPods.EACH));
    engine.awaitHeartbeat("pod db-0: the agent of pod db-0 ");
    // When
    zero.action = endsWith(0, "");
    first.join();
    // Then
    assertThat(zero.actionIds).hasSizeGreaterThan(1).containsOnly(zero.actionIds.getFirst());
    assertThat(runs()).extracting(ActionRun::attempts).containsOnly(1);
  }

  @Test
  void shouldNameTheFailureAndAskNoFurtherPod() {
    // Given
    zero.action = endsWith(3, "connects\nNOAUTH needed\n\n");
    // When Then
    assertFails(
        "ActionFailed",
        "action flush on pod db-0 failed with exit code 3: NOAUTH needed; no further pod of group g was asked");
    assertThat(actions(one)).isEmpty();
    assertThat(runs())
        .extracting(ActionRun::status, ActionRun::exitCode)
        .containsExactly(tuple("Failed", 3));
    // and a repeat, as after a crash, runs nothing again
    assertFails(
        "ActionFailed",
        "action flush has failed on pod db-0 before, and is not repeated by itself; no further pod of group g was asked");
    assertThat(actions(zero)).hasSize(1);
  }

  @Test
  void shouldFailWhenTheAgentRefuses() {
    // Given
    zero.action =
        to ->
            to.onError(Status.FAILED_PRECONDITION.withDescription("not now").asRuntimeException());
    // When Then
    assertFails("AgentRefused", "not now");
    // and a later attempt of the task has another id
    zero.action = endsWith(0, "");
    run(ActionPods.EACH);
    assertThat(zero.actionIds).doesNotHaveDuplicates().hasSize(2);
    assertThat(runs().getFirst().attempts()).isEqualTo(2);
  }

  @Test
  void shouldTakeAnotherPodWhenOneGoesAway() {
    // Given
    zero.action = to -> to.onError(Status.UNAVAILABLE.asRuntimeException());
    var running = CompletableFuture.runAsync(() -> run(ActionPods.ONE));
    engine.awaitHeartbeat("pod db-0: the agent of pod db-0 ");
    // When
    view.pods.removeIf(pod -> pod.name().equals("db-0"));
    running.join();
    // Then
    assertThat(runs())
        .extracting(ActionRun::pod, ActionRun::status)
        .containsExactlyInAnyOrder(tuple("db-0", "Lost"), tuple("db-1", "Succeeded"));
  }

  @Test
  void shouldRunOnThePrimaryOnly() {
    one.role = "primary";

    run(ActionPods.PRIMARY);

    assertThat(runs()).extracting(ActionRun::pod).containsExactly("db-1");
  }

  @Test
  void shouldRunOnOneReplicaOnly() {
    zero.role = "primary";

    run(ActionPods.ANY_REPLICA);

    assertThat(runs()).extracting(ActionRun::pod).containsExactly("db-1");
  }

  @Test
  void shouldRunOnThePodsOfTheRoleThatTheOperationTargets() {
    zero.role = "primary";
    one.role = "replica";

    run(new ActionPodLimits(ActionPods.EACH, Optional.of(TargetRole.REPLICA), Optional.empty()));

    assertThat(runs()).extracting(ActionRun::pod).containsExactly("db-1");
  }

  @Test
  void shouldRunOnAsManyPodsAsTheOperationTargets() {
    // Given
    var single = new ActionPodLimits(ActionPods.EACH, Optional.empty(), Optional.of(1));
    // When
    run(single);
    // Then
    assertThat(runs()).extracting(ActionRun::pod).containsExactly("db-0");
    // and a repeat takes no further pod
    run(single);
    assertThat(runs()).hasSize(1);
  }

  @Test
  void shouldWaitForAPodOfTheRole() {
    // Given
    zero.role = "replica";
    one.role = "replica";
    var limits =
        new ActionPodLimits(ActionPods.EACH, Optional.of(TargetRole.PRIMARY), Optional.empty());
    var running = CompletableFuture.runAsync(() -> run(limits));
    engine.awaitHeartbeat(
        "group g of component db: no ready pod has the role that the Operation targets");
    // When
    one.role = "primary";
    running.join();
    // Then
    assertThat(runs()).extracting(ActionRun::pod).containsExactly("db-1");
  }

  /** A change holds the run lock, and another run of the Operation has gone before. */
  @Test
  void shouldRunBesideAChangeWhenItExcludesNothing() {
    // Given
    change = BegunAction.besideAChange(cluster, change);
    // When
    run(ActionPods.EACH);
    // Then
    assertThat(runs()).extracting(ActionRun::status).containsOnly("Succeeded").hasSize(2);
  }

  private void run(ActionPods pods) {
    run(new ActionPodLimits(pods, Optional.empty(), Optional.empty()));
  }

  private void run(ActionPodLimits limits) {
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

  private void assertFails(String kind, String text) {
    assertThatThrownBy(() -> run(ActionPods.EACH))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(kind);
              assertThat(e.getOriginalMessage()).contains(text);
            });
  }

  private List<ActionRun> runs() {
    return new Operations(cluster.client()).find(change).orElseThrow().getStatus().runs();
  }

  private static List<String> actions(FakeAgent agent) {
    return agent.calls.stream().filter(call -> call.startsWith("run ")).toList();
  }
}
