package io.middleware.engine.activities.backup;

import static io.middleware.engine.activities.backup.BackupScene.actions;
import static io.middleware.engine.activities.backup.BackupScene.works;
import static io.middleware.engine.cluster.agents.FakeAgent.answers;
import static io.middleware.engine.cluster.agents.FakeAgent.endsWith;
import static io.middleware.engine.cluster.agents.FakeAgent.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.middleware.engine.cluster.SampleObjects;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.proto.tool.v1.Progress;
import io.middleware.engine.proto.tool.v1.RunActionResponse;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.workflows.port.BackupActivities.BackupEnd;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The copy of a group with the primary db-0 and the replica db-1. */
@ExtendWith(ApiServer.class)
class BackupCopyIT {
  private final LocalNamespace cluster;
  private BackupScene scene;
  private String key;

  BackupCopyIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void begin() throws IOException {
    scene = new BackupScene(cluster);
    scene.deploy();
    var uid = scene.request().getMetadata().getUid();
    scene.activities().beginBackup(scene.ref());
    key = "%s/cache/now-%s/db/g.".formatted(cluster.namespace(), uid.substring(0, 8));
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void shouldCopyAReplica() {
    // When
    scene.copy();
    // Then
    var copy = scene.copied();
    assertThat(copy.pod()).isEqualTo("db-1");
    assertThat(copy.key()).isEqualTo(key + "1");
    assertThat(copy.location()).isEqualTo("s3://bucket/copy");
    assertThat(copy.bytes()).isEqualTo(1_288_490_189L);
    assertThat(copy.checksum()).isEqualTo("sha256:abc");
    assertThat(copy.version()).isEqualTo("7.0.1");
    assertThat(copy.isVerified()).isTrue();
    assertThat(scene.status().done()).isEqualTo("1/1");
    assertThat(scene.status().size()).isEqualTo("1.2 GiB");
    assertThat(actions(scene.one))
        .containsExactly(
            "run backup {key=%s1}".formatted(key),
            "run verify-backup {checksum=sha256:abc, key=%s1}".formatted(key));
    assertThat(actions(scene.zero)).isEmpty();
    // and a repeat copies nothing again
    scene.copy();
    assertThat(actions(scene.one)).hasSize(2);
  }

  @Test
  void shouldCopyThePrimaryWhenNoReplicaIsReady() {
    // Given
    scene.view.pods.set(1, SampleObjects.unready("db-1", "new"));
    // When
    scene.copy();
    // Then
    assertThat(scene.copied().pod()).isEqualTo("db-0");
  }

  @Test
  void shouldTakeAnotherPodWhenAnAgentRefuses() {
    // Given
    scene.one.actions.put("backup", refuses("this replica is behind"));
    // When
    scene.copy();
    // Then
    assertThat(scene.copied().pod()).isEqualTo("db-0");
    assertThat(scene.copied().key()).isEqualTo(key + "2");
    assertThat(scene.copied().attempts()).isEqualTo(2);
  }

  @Test
  void shouldTakeAnotherPodWhenACopyIsCorrupt() {
    // Given
    scene.one.actions.put("verify-backup", refuses("the checksum differs"));
    // When
    scene.copy();
    // Then
    assertThat(scene.copied().pod()).isEqualTo("db-0");
    assertThat(scene.copied().isVerified()).isTrue();
    assertThat(CopyKeys.all(scene.copied())).containsExactly(key + "1", key + "2");
  }

  @Test
  void shouldTakeAnotherPodWhenAnotherChecksumIsVerified() {
    // Given
    scene.one.actions.put("verify-backup", answers(Map.of("checksum", "sha256:other")));
    // When
    scene.copy();
    // Then
    assertThat(scene.copied().pod()).isEqualTo("db-0");
    assertThat(scene.copied().isVerified()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sha256:abc\nkey bank/vault/b-1/db/g.1", "sha256:\u202eabc", "a b"})
  void shouldTakeAnotherPodWhenAChecksumIsMoreThanAWord(String checksum) {
    // Given
    scene.one.actions.put("backup", answers(Map.of("checksum", checksum)));
    // When
    scene.copy();
    // Then
    assertThat(scene.copied().pod()).isEqualTo("db-0");
    assertThat(scene.copied().checksum()).isEqualTo("sha256:abc");
  }

  @Test
  void shouldSayWhatTheLastPodSays() {
    // Given
    scene.one.actions.put("backup", refuses("this replica is behind"));
    scene.zero.actions.put("backup", endsWith(3, "connects\nno space left\n"));
    // When Then
    assertThatThrownBy(scene::copy)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("AgentRefused");
              assertThat(e.getOriginalMessage())
                  .startsWith("no pod made a valid copy of db/g: 2 pods were asked; the last one: ")
                  .endsWith("pod db-0: backup failed with exit code 3: no space left");
            });
  }

  @Test
  void shouldAttachAfterALostAnswer() {
    // Given
    scene.patience = Duration.ofMinutes(1);
    scene.one.actions.put("backup", to -> to.onError(Status.UNAVAILABLE.asRuntimeException()));
    var first = CompletableFuture.runAsync(scene::copy);
    scene.engine.awaitHeartbeat("db/g: the agent of pod db-1 ");
    cluster.await().until(() -> scene.status().message().contains("asked again"));
    // When
    scene.engine.cancelled = true;
    assertThatThrownBy(first::join).hasCauseInstanceOf(ActivityCanceledException.class);
    scene.engine.cancelled = false;
    works(scene.one);
    scene.copy();
    // Then
    var backups = actions(scene.one).stream().filter(it -> it.contains("run backup")).toList();
    assertThat(backups).hasSizeGreaterThan(1).containsOnly(backups.getFirst());
    assertThat(scene.one.actionIds.subList(0, backups.size()))
        .containsOnly(scene.one.actionIds.getFirst());
    assertThat(scene.copied().attempts()).isEqualTo(1);
  }

  @Test
  void shouldHideSecretsInWhatItSaysWhileAnAgentIsSilent() {
    // Given
    var uid = scene.status().appUid();
    var secrets = new SensitiveParameters(Set.of("password"));
    scene.engine.secrets.remember(uid, secrets, Map.of("password", "correct-horse"));
    var silent = Status.UNAVAILABLE.withDescription("no login as correct-horse");
    scene.one.actions.put("backup", to -> to.onError(silent.asRuntimeException()));
    var running = CompletableFuture.runAsync(scene::copy);
    cluster.await().until(() -> actions(scene.one).size() > 1);
    // When
    works(scene.one);
    running.join();
    // Then
    assertThat(scene.engine.heartbeats)
        .anyMatch(it -> it.contains("no login as"))
        .noneMatch(it -> it.contains("correct-horse"));
  }

  @Test
  void shouldTakeAnotherPodWhenOneGoesAway() {
    // Given
    scene.one.actions.put("backup", to -> to.onError(Status.UNAVAILABLE.asRuntimeException()));
    var running = CompletableFuture.runAsync(scene::copy);
    scene.engine.awaitHeartbeat("db/g: the agent of pod db-1 ");
    // When
    scene.view.pods.removeIf(pod -> pod.name().equals("db-1"));
    running.join();
    // Then
    assertThat(scene.copied().pod()).isEqualTo("db-0");
  }

  @Test
  void shouldTakeAnotherPodWhenAnAgentDoesNotAnswerForAWhile() {
    // Given
    scene.one.actions.put("backup", to -> to.onError(Status.UNAVAILABLE.asRuntimeException()));
    // When
    scene.copy();
    // Then
    assertThat(scene.copied().pod()).isEqualTo("db-0");
    assertThat(actions(scene.one)).as("it was asked for a while").hasSizeGreaterThan(1);
  }

  /** Such as a store that is away: nobody could copy for a while. */
  @Test
  void shouldAskAPodAgainWhenNoOtherOneAnswersEither() {
    // Given
    scene.one.actions.put("backup", to -> to.onError(Status.UNAVAILABLE.asRuntimeException()));
    scene.zero.actions.put("backup", scene.one.actions.get("backup"));
    var running = CompletableFuture.runAsync(scene::copy);
    cluster.await().until(() -> actions(scene.zero).size() > 1);
    // When
    works(scene.one);
    running.join();
    // Then
    assertThat(scene.copied().pod()).isEqualTo("db-1");
  }

  @Test
  void shouldOnlyVerifyWhatIsCopiedAlready() {
    // Given
    var asked = new AtomicInteger();
    scene.one.actions.put("verify-backup", to -> asked.incrementAndGet());
    var first = CompletableFuture.runAsync(scene::copy);
    cluster.await().until(() -> asked.get() == 1);
    scene.engine.cancelled = true;
    assertThatThrownBy(first::join).hasCauseInstanceOf(ActivityCanceledException.class);
    scene.engine.cancelled = false;
    // When
    works(scene.one);
    scene.copy();
    // Then
    assertThat(actions(scene.one).stream().filter(it -> it.contains("run backup"))).hasSize(1);
    assertThat(scene.copied().isVerified()).isTrue();
  }

  @Test
  void shouldShowProgressAndStopTheAgentWhenItIsCancelled() {
    // Given
    scene.one.actions.put(
        "backup",
        to ->
            to.onNext(
                RunActionResponse.newBuilder()
                    .setProgress(Progress.newBuilder().setMessage("1 MiB sent").setPercent(35))
                    .build()));
    var running = CompletableFuture.runAsync(scene::copy);
    cluster
        .await()
        .until(
            () -> "copying db/g from pod db-1: 1 MiB sent (35 %)".equals(scene.status().message()));
    // When
    scene.engine.cancelled = true;
    // Then
    assertThatThrownBy(running::join).hasCauseInstanceOf(ActivityCanceledException.class);
    cluster.await().until(() -> scene.one.cancelled.get() > 0);
  }

  @Test
  void shouldAskNobodyForACopyThatWouldEndTooLate() {
    // When Then
    assertThatThrownBy(() -> scene.copy(otherwise -> Duration.ofMillis(999)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("AgentsUnavailable");
              assertThat(e.getOriginalMessage()).isEqualTo("timed out before db/g was copied");
            });
    assertThat(actions(scene.one)).isEmpty();
  }

  @Test
  void shouldSayWhoHasNotAnsweredInTime() {
    // Given
    scene.one.actions.put("backup", to -> to.onError(Status.UNAVAILABLE.asRuntimeException()));
    var left = new AtomicInteger(2);
    // When Then
    assertThatThrownBy(() -> scene.copy(otherwise -> Duration.ofSeconds(left.getAndDecrement())))
        .hasMessageContaining("timed out before db/g was copied: the agent of pod ")
        .hasMessageContaining("db-1");
    assertThat(actions(scene.one)).hasSize(2);
  }

  @Test
  void shouldWriteNothingAfterTheEnd() {
    // Given
    scene.activities().endBackup(new BackupEnd(scene.ref(), "Cancelled", "it was cancelled"));
    // When Then
    assertThatThrownBy(scene::copy).hasMessageContaining("has ended or is gone");
    assertThat(actions(scene.one)).isEmpty();
  }
}
