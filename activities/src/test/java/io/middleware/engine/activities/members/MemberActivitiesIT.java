package io.middleware.engine.activities.members;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static io.middleware.engine.cluster.agents.FakeAgent.endsWith;
import static io.middleware.engine.cluster.agents.FakeAgent.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.grpc.Status;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.cluster.VolumeState;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.app.VolumeUse;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pod db-2 joins a group of two, or db-1 leaves it. */
@ExtendWith(ApiServer.class)
class MemberActivitiesIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private MemberScene scene;

  MemberActivitiesIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() throws IOException {
    scene = new MemberScene(cluster, engine);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void shouldAskThePrimaryToLetAPodJoin() {
    // Given
    scene.one.role = "primary";
    // When
    scene.activities().begin(scene.joins("db-2"), "step-1");
    // Then
    assertThat(actions(scene.one)).containsExactly("run join {member=db-2, members=3}");
    assertThat(actions(scene.zero)).isEmpty();
    assertThat(scene.members()).isEqualTo("2 joining db-2");
    assertThat(scene.one.timeouts).containsExactly(0);
  }

  @Test
  void shouldAskByTheSameIdWhenTheStepIsRepeated() {
    // When
    scene.activities().begin(scene.joins("db-2"), "step-1");
    scene.activities().begin(scene.joins("db-2"), "step-1");
    scene.activities().begin(scene.joins("db-2"), "step-2");
    // Then
    var ids = scene.zero.actionIds;
    assertThat(ids).hasSize(3);
    assertThat(ids.get(1)).isEqualTo(ids.get(0)).isNotEqualTo(ids.get(2));
  }

  @Test
  void shouldAskAgainWithAnotherIdUntilTheMiddlewareIsThere() {
    // Given
    scene.zero.action =
        to ->
            endsWith(scene.zero.actionIds.size() == 1 ? 1 : 0, "the learner is not in sync\nyet\n")
                .accept(to);
    // When
    scene.activities().begin(scene.joins("db-2"), "step-1");
    // Then
    assertThat(scene.zero.actionIds).hasSize(2).doesNotHaveDuplicates();
    assertThat(engine.heartbeats)
        .contains("pod db-0: join ended with exit code 1: yet; asked again (member 3 of 5)");
  }

  @Test
  void shouldFailWithTheReasonOfARefusal() {
    // Given
    scene.zero.action = endsWith(2, "no quorum\n");
    // When Then
    assertThatThrownBy(() -> scene.activities().begin(scene.joins("db-2"), "step-1"))
        .isInstanceOf(ApplicationFailure.class)
        .hasMessageContaining(
            "pod db-2 has not joined group g, which has 2 pods and is to have 5: refused by pod db-0: join ended with exit code 2: no quorum")
        .extracting(e -> ((ApplicationFailure) e).getType())
        .isEqualTo("AgentRefused");
    // Given
    scene.zero.action = refuses("it is being upgraded");
    // When Then
    assertThatThrownBy(() -> scene.activities().begin(scene.joins("db-2"), "step-2"))
        .hasMessageContaining("it is being upgraded");
  }

  @Test
  void shouldGoOnWhereTheAgentHasNothingToDo() {
    // Given
    scene.zero.action = to -> to.onError(Status.UNIMPLEMENTED.asRuntimeException());
    // When
    scene.activities().begin(scene.joins("db-2"), "step-1");
    // Then
    assertThat(scene.members()).isEqualTo("2 joining db-2");
  }

  @Test
  void shouldLetNobodyJoinWhileAMemberIsNotReady() {
    // Given
    scene.view.pods.set(1, unready("db-1", "new"));
    var joining =
        CompletableFuture.runAsync(() -> scene.activities().begin(scene.joins("db-2"), "step-1"));
    engine.awaitHeartbeat("pod db-2 is to join, once all members are ready: pod db-1: not ready");
    assertThat(actions(scene.zero)).isEmpty();
    // When
    scene.view.pods.set(1, readyAt("db-1", "new", "127.0.0.11"));
    // Then
    joining.join();
    assertThat(actions(scene.zero)).hasSize(1);
  }

  @Test
  void shouldAskAPodThatHasJoinedWhetherItIsAWholeMember() {
    // Given
    scene.activities().begin(scene.joins("db-1"), "step-1");
    // When
    scene.activities().end(scene.joins("db-1"), "step-2");
    // Then
    assertThat(actions(scene.one)).containsExactly("run joined {member=db-1, members=3}");
    assertThat(scene.members()).isEqualTo("2");
  }

  @Test
  void shouldNeverAskThePodThatLeaves() {
    // Given
    scene.one.role = "primary";
    // When
    scene.activities().begin(scene.leaves("db-1"), "step-1");
    // Then
    assertThat(actions(scene.zero)).containsExactly("run leave {member=db-1, members=1}");
    assertThat(actions(scene.one)).isEmpty();
    assertThat(scene.members()).isEqualTo("2 leaving db-1");
    // When
    scene.activities().end(scene.leaves("db-1"), "step-2");
    // Then
    assertThat(scene.members()).isEqualTo("2");
    assertThat(actions(scene.one)).isEmpty();
  }

  /** Without it and the one that is broken, the others may be too few. */
  @Test
  void shouldLetNobodyLeaveWhileAnotherMemberIsNotReady() {
    // Given
    scene.three(unready("db-1", "new"), readyAt("db-2", "new", "127.0.0.12"));
    var leaving =
        CompletableFuture.runAsync(() -> scene.activities().begin(scene.leaves("db-2"), "step-1"));
    engine.awaitHeartbeat(
        "pod db-2 is to leave, once the other members are ready: pod db-1: not ready");
    assertThat(actions(scene.zero)).isEmpty();
    // When
    scene.view.pods.set(1, readyAt("db-1", "new", "127.0.0.11"));
    // Then
    leaving.join();
    assertThat(actions(scene.zero)).hasSize(1);
  }

  @Test
  void shouldLetABrokenMemberLeaveWhateverStateTheOthersAreIn() {
    // Given
    scene.three(unready("db-1", "new"), unready("db-2", "new"));
    // When
    scene.activities().begin(scene.leaves("db-2"), "step-1");
    // Then
    assertThat(actions(scene.zero)).hasSize(1);
  }

  /** Of a worker that was away while the others went on. */
  @Test
  void shouldNotBeginOrEndAMoveOnceItIsOver() {
    // Given
    scene.note("1");
    // When
    scene.activities().begin(scene.leaves("db-1"), "step-1");
    // Then
    assertThat(actions(scene.zero)).isEmpty();
    assertThat(scene.members()).isEqualTo("1");
    // Given
    scene.note("1 joining db-1");
    // When
    scene.activities().end(scene.leaves("db-2"), "step-2");
    // Then
    assertThat(scene.members()).isEqualTo("1 joining db-1");
  }

  @Test
  void shouldEndWhatIsCancelled() {
    // Given
    scene.zero.action = to -> {};
    scene.zero.stop = FakeAgent::stopped;
    var joining =
        CompletableFuture.runAsync(() -> scene.activities().begin(scene.joins("db-2"), "step-1"));
    cluster.await().until(() -> !scene.zero.actionIds.isEmpty());
    // When
    engine.cancelled = true;
    // Then
    assertThatThrownBy(joining::join).hasCauseInstanceOf(ActivityCanceledException.class);
    assertThat(scene.zero.calls).contains("stop " + scene.zero.actionIds.getFirst());
    assertThat(scene.members()).isEqualTo("2 joining db-2");
  }

  @Test
  void shouldBeginWithAnEmptyVolume() {
    // Given
    claimOf("db-2", true);
    // When
    scene.activities().begin(scene.joins("db-2"), "step-1");
    // Then
    var claim = cluster.named(PersistentVolumeClaim.class, "data-db-2").get();
    assertThat(claim).isNull();
    assertThat(actions(scene.zero)).hasSize(1);
  }

  /** The engine's cache may be behind. */
  @Test
  void shouldKnowByTheApiServerWhoseVolumeItIs() {
    // Given
    claimOf("db-2", true);
    var seen = scene.view.volumes.removeLast().claim();
    seen.getMetadata().setAnnotations(Map.of());
    scene.view.volumes.add(new VolumeState(seen));
    // When
    scene.activities().begin(scene.joins("db-2"), "step-1");
    // Then
    assertThat(cluster.named(PersistentVolumeClaim.class, "data-db-2").get()).isNull();
  }

  @Test
  void shouldTouchNoVolumeThatMayBeNeeded() {
    // Given
    claimOf("db-2", false);
    // When Then
    assertThatThrownBy(() -> scene.activities().begin(scene.joins("db-2"), "step-1"))
        .isInstanceOf(ApplicationFailure.class)
        .hasMessageContaining("kubectl -n %s delete pvc data-db-2".formatted(cluster.namespace()));
    assertThat(actions(scene.zero)).isEmpty();
    assertThat(cluster.named(PersistentVolumeClaim.class, "data-db-2").get()).isNotNull();
  }

  private void claimOf(String pod, boolean left) {
    var claims =
        new PersistentVolumeClaimBuilder()
            .withNewMetadata()
            .withName("data-" + pod)
            .endMetadata()
            .withNewSpec()
            .withAccessModes("ReadWriteOnce")
            .withNewResources()
            .addToRequests("storage", new Quantity("1Gi"))
            .endResources()
            .endSpec();
    var use =
        new VolumeUse(
            "redis",
            new RuntimeRef("redis", "7.0"),
            new PluginRef("redis", "1.0.0"),
            Map.of(),
            null,
            left ? true : null);
    var claim =
        cluster.create(
            claims
                .editMetadata()
                .addToAnnotations(Labels.LAST_USE, use.text())
                .endMetadata()
                .build());
    claim.getMetadata().setFinalizers(List.of());
    cluster.client().resource(claim).update();
    scene.view.volumes.add(new VolumeState(cluster.now(claim)));
    useClaims();
  }

  private void useClaims() {
    scene.view.sets.set(
        0,
        new StatefulSetBuilder(set(2, 1))
            .editMetadata()
            .withNamespace(cluster.namespace())
            .endMetadata()
            .editSpec()
            .addNewVolumeClaimTemplate()
            .withNewMetadata()
            .withName("data")
            .endMetadata()
            .endVolumeClaimTemplate()
            .endSpec()
            .build());
  }

  /** The actions that the agent was asked for. */
  private static List<String> actions(FakeAgent agent) {
    return agent.calls.stream().filter(call -> call.startsWith("run ")).toList();
  }
}
