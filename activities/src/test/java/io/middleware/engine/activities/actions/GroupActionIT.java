package io.middleware.engine.activities.actions;

import static io.middleware.engine.cluster.agents.FakeAgent.endsWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.grpc.Status;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.operation.TargetRole;
import io.middleware.engine.api.plugin.ActionPods;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An action on the pods db-0 and db-1 of a group. */
@ExtendWith(ApiServer.class)
class GroupActionIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private ActionScene scene;

  GroupActionIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() throws IOException {
    scene = new ActionScene(cluster, engine);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void shouldRunOnEachPodInTheAgentsOrder() {
    // Given
    scene.zero.order = List::reversed;
    scene.one.order = List::reversed;
    // When
    scene.run(ActionPods.EACH);
    // Then
    assertThat(scene.runs())
        .extracting(ActionRun::pod, ActionRun::status, ActionRun::exitCode, ActionRun::output)
        .containsExactly(
            tuple("db-1", "Succeeded", 0, "done by one\n"),
            tuple("db-0", "Succeeded", 0, "done by zero\n"));
    assertThat(actions(scene.zero)).containsExactly("run flush {db=0}");
    // and a repeat runs nothing again
    scene.run(ActionPods.EACH);
    assertThat(actions(scene.zero)).hasSize(1);
  }

  @Test
  void shouldAttachToARunInProgress() {
    // Given
    scene.zero.action = to -> to.onError(Status.UNAVAILABLE.asRuntimeException());
    var first = CompletableFuture.runAsync(() -> scene.run(ActionPods.EACH));
    engine.awaitHeartbeat("pod db-0: the agent of pod db-0 ");
    assertThat(scene.runs().getFirst().message()).startsWith("the agent of pod db-0 ");
    // When
    scene.zero.action = endsWith(0, "");
    first.join();
    // Then
    assertThat(scene.zero.actionIds)
        .hasSizeGreaterThan(1)
        .containsOnly(scene.zero.actionIds.getFirst());
    assertThat(scene.runs()).extracting(ActionRun::attempts).containsOnly(1);
  }

  @Test
  void shouldNameTheFailureAndAskNoFurtherPod() {
    // Given
    scene.zero.action = endsWith(3, "connects\nNOAUTH needed\n\n");
    // When Then
    assertFails(
        "ActionFailed",
        "action flush on pod db-0 failed with exit code 3: NOAUTH needed; no further pod of group g was asked");
    assertThat(actions(scene.one)).isEmpty();
    assertThat(scene.runs())
        .extracting(ActionRun::status, ActionRun::exitCode)
        .containsExactly(tuple("Failed", 3));
    // and a repeat, as after a crash, runs nothing again
    assertFails(
        "ActionFailed",
        "action flush already failed on pod db-0 and is not retried automatically; it was not run "
            + "on the other pods of group g");
    assertThat(actions(scene.zero)).hasSize(1);
  }

  @Test
  void shouldFailWhenTheAgentRefuses() {
    // Given
    scene.zero.action =
        to ->
            to.onError(Status.FAILED_PRECONDITION.withDescription("not now").asRuntimeException());
    // When Then
    assertFails("AgentRefused", "not now");
    // and a later attempt of the task has another id
    scene.zero.action = endsWith(0, "");
    scene.run(ActionPods.EACH);
    assertThat(scene.zero.actionIds).doesNotHaveDuplicates().hasSize(2);
    assertThat(scene.runs().getFirst().attempts()).isEqualTo(2);
  }

  @Test
  void shouldTakeAnotherPodWhenOneGoesAway() {
    // Given
    scene.zero.action = to -> to.onError(Status.UNAVAILABLE.asRuntimeException());
    var running = CompletableFuture.runAsync(() -> scene.run(ActionPods.ONE));
    engine.awaitHeartbeat("pod db-0: the agent of pod db-0 ");
    // When
    scene.view.pods.removeIf(pod -> pod.name().equals("db-0"));
    running.join();
    // Then
    assertThat(scene.runs())
        .extracting(ActionRun::pod, ActionRun::status)
        .containsExactlyInAnyOrder(tuple("db-0", "Lost"), tuple("db-1", "Succeeded"));
  }

  @Test
  void shouldRunOnThePrimaryOnly() {
    scene.one.role = "primary";

    scene.run(ActionPods.PRIMARY);

    assertThat(scene.runs()).extracting(ActionRun::pod).containsExactly("db-1");
  }

  @Test
  void shouldRunOnOneReplicaOnly() {
    scene.zero.role = "primary";

    scene.run(ActionPods.ANY_REPLICA);

    assertThat(scene.runs()).extracting(ActionRun::pod).containsExactly("db-1");
  }

  @Test
  void shouldRunOnThePodsOfTheRoleThatTheOperationTargets() {
    scene.zero.role = "primary";
    scene.one.role = "replica";

    scene.run(
        new ActionPodLimits(ActionPods.EACH, Optional.of(TargetRole.REPLICA), Optional.empty()));

    assertThat(scene.runs()).extracting(ActionRun::pod).containsExactly("db-1");
  }

  @Test
  void shouldRunOnAsManyPodsAsTheOperationTargets() {
    // Given
    var single = new ActionPodLimits(ActionPods.EACH, Optional.empty(), Optional.of(1));
    // When
    scene.run(single);
    // Then
    assertThat(scene.runs()).extracting(ActionRun::pod).containsExactly("db-0");
    // and a repeat takes no further pod
    scene.run(single);
    assertThat(scene.runs()).hasSize(1);
  }

  @Test
  void shouldWaitForAPodOfTheRole() {
    // Given
    scene.zero.role = "replica";
    scene.one.role = "replica";
    var limits =
        new ActionPodLimits(ActionPods.EACH, Optional.of(TargetRole.PRIMARY), Optional.empty());
    var running = CompletableFuture.runAsync(() -> scene.run(limits));
    engine.awaitHeartbeat(
        "group g of component db: no ready pod has the role that the Operation targets");
    // When
    scene.one.role = "primary";
    running.join();
    // Then
    assertThat(scene.runs()).extracting(ActionRun::pod).containsExactly("db-1");
  }

  /** A change holds the run lock, and another run of the Operation has gone before. */
  @Test
  void shouldRunBesideAChangeWhenItExcludesNothing() {
    // Given
    scene.change = BegunAction.besideAChange(cluster, scene.change);
    // When
    scene.run(ActionPods.EACH);
    // Then
    assertThat(scene.runs()).extracting(ActionRun::status).containsOnly("Succeeded").hasSize(2);
  }

  private void assertFails(String kind, String text) {
    assertThatThrownBy(() -> scene.run(ActionPods.EACH))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(kind);
              assertThat(e.getOriginalMessage()).contains(text);
            });
  }

  private static List<String> actions(FakeAgent agent) {
    return agent.calls.stream().filter(call -> call.startsWith("run ")).toList();
  }
}
