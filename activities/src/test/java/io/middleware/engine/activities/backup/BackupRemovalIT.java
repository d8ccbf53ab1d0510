package io.middleware.engine.activities.backup;

import static io.middleware.engine.activities.backup.BackupScene.actions;
import static io.middleware.engine.cluster.agents.FakeAgent.refuses;
import static io.middleware.engine.cluster.agents.FakeAgent.timesOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.Status;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.cluster.SampleObjects;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.BackupActivities.BackupEnd;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How the copies of a Backup are deleted. */
@ExtendWith(ApiServer.class)
class BackupRemovalIT {
  private final LocalNamespace cluster;
  private BackupScene scene;
  private App app;

  BackupRemovalIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  /** The copy has two keys, as the first one was not good. */
  @BeforeEach
  void copy() throws IOException {
    scene = new BackupScene(cluster);
    app = scene.deploy();
    scene.request();
    scene.activities().beginBackup(scene.ref());
    scene.one.actions.put("verify-backup", refuses("the checksum differs"));
    scene.copy();
    List.of(scene.zero, scene.one).forEach(agent -> agent.calls.clear());
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void shouldDiscardAllAttempts() {
    // Given
    var keys = CopyKeys.all(scene.copied());
    // When
    scene.activities().discardCopies(scene.ref());
    // Then
    assertThat(deleted()).containsExactlyElementsOf(keys);
    assertThat(scene.status().all()).isEmpty();
    assertThat(scene.status().done()).isEqualTo("0/1");
    assertThat(scene.status().size()).isNull();
    // and a repeat deletes nothing again
    scene.activities().discardCopies(scene.ref());
    assertThat(deleted()).hasSize(2);
  }

  /** It may copy still. */
  @Test
  void shouldAskThePodThatCopiesToDiscard() {
    // Given
    Collections.reverse(scene.view.pods);
    assertThat(scene.copied().pod()).isEqualTo("db-0");
    // When
    scene.activities().discardCopies(scene.ref());
    // Then
    assertThat(actions(scene.zero)).hasSize(2);
    assertThat(actions(scene.one)).isEmpty();
  }

  /** Somebody waits for the end of the run, and all pods share the store. */
  @Test
  void shouldNotWaitLongForAStoreThatHangs() {
    // Given
    scene.zero.actions.put("delete-backup", timesOut("cannot delete it"));
    // When Then
    assertThatThrownBy(() -> scene.activities().discardCopies(scene.ref()))
        .isInstanceOf(ApplicationFailure.class)
        .hasMessageContaining("pod db-0: delete-backup did not end in time: cannot delete it")
        .satisfies(e -> assertThat(((ApplicationFailure) e).isNonRetryable()).isTrue());
    assertThat(scene.zero.timeouts).contains(5);
    assertThat(actions(scene.zero)).hasSize(1);
    assertThat(actions(scene.one)).isEmpty();
  }

  @Test
  void shouldAskAnotherPodToDiscard() {
    // Given
    scene.zero.actions.put("delete-backup", refuses("no store here"));
    // When
    scene.activities().discardCopies(scene.ref());
    // Then
    assertThat(actions(scene.one)).hasSize(2);
    assertThat(scene.status().all()).isEmpty();
  }

  @Test
  void shouldFailWhenNobodyDiscards() {
    List.of(scene.zero, scene.one)
        .forEach(agent -> agent.actions.put("delete-backup", refuses("access denied")));

    assertFails(() -> scene.activities().discardCopies(scene.ref()), "AgentRefused", "denied");
    assertThat(scene.status().all()).isNotEmpty();
  }

  @Test
  void shouldRemoveNothingThatIsNotBeingDeleted() {
    scene.activities().removeBackup(scene.ref());

    assertThat(deleted()).isEmpty();
    assertThat(scene.backup(BackupScene.NAME)).isNotNull();
  }

  @Test
  void shouldDeleteTheCopiesOfABackupThatIsBeingDeleted() {
    // Given
    delete();
    // When
    scene.activities().removeBackup(scene.ref("removal"));
    // Then
    assertThat(deleted()).hasSize(2);
    assertThat(scene.backup(BackupScene.NAME)).isNull();
    // and a repeat does nothing
    scene.activities().removeBackup(scene.ref("removal"));
    assertThat(deleted()).hasSize(2);
  }

  @Test
  void shouldKeepTheCopiesWithoutTheApp() {
    // Given
    cluster.client().resource(app).delete();
    delete();
    // When
    scene.activities().removeBackup(scene.ref("removal"));
    // Then
    assertThat(deleted()).isEmpty();
    assertThat(scene.backup(BackupScene.NAME)).isNull();
    assertThat(cluster.events())
        .filteredOn(event -> "BackupRemoved".equals(event.getReason()))
        .allSatisfy(event -> assertThat(event.getNote()).contains("is gone", "s3://bucket/copy"))
        .extracting(event -> event.getRegarding().getKind())
        .as("the namespace of the Backup may be going too")
        .containsExactlyInAnyOrder("Backup", "Plugin");
    assertThat(scene.meters.get("middleware.backup.copies.kept").counter().count()).isEqualTo(1);
  }

  /** It would answer that the copy is gone, as it looks into another store. */
  @Test
  void shouldKeepTheCopiesOfAnotherStore() {
    // Given
    deployToAnotherStore();
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.setSpec(weekly(it.getSpec(), AppSpec.class));
              return it;
            });
    delete();
    // When
    scene.activities().removeBackup(scene.ref("removal"));
    // Then
    assertThat(deleted()).isEmpty();
    assertThat(scene.backup(BackupScene.NAME)).isNull();
    assertThat(scene.reasons("Backup")).contains("BackupRemoved");
  }

  @Test
  void shouldWaitUntilTheStoreIsDeployedAgain() {
    // Given
    deployToAnotherStore();
    delete();
    // When Then
    assertFails(
        () -> scene.activities().removeBackup(scene.ref("removal")),
        "Unavailable",
        "is stopped, or not deployed yet");
    assertThat(scene.backup(BackupScene.NAME)).isNotNull();
  }

  private void deployToAnotherStore() {
    cluster
        .named(Component.class, "cache-db")
        .edit(
            it -> {
              it.setSpec(weekly(it.getSpec(), ComponentSpec.class));
              return it;
            });
  }

  private static <T> T weekly(T spec, Class<T> type) {
    return Serialization.unmarshal(Serialization.asYaml(spec).replace("nightly", "weekly"), type);
  }

  @Test
  void shouldKeepTheBackupWhileNoAgentAnswers() {
    // Given
    delete();
    scene.zero.actions.put(
        "delete-backup", to -> to.onError(Status.UNAVAILABLE.asRuntimeException()));
    scene.one.actions.put("delete-backup", scene.zero.actions.get("delete-backup"));
    // When Then
    assertFails(() -> scene.activities().removeBackup(scene.ref("removal")), "Unavailable", "db-1");
    assertThat(scene.status().message()).startsWith("its copies cannot be deleted: ");
    // and also while no pod is ready
    scene.view.pods.clear();
    scene.view.pods.add(SampleObjects.unready("db-0", "new"));
    assertFails(
        () -> scene.activities().removeBackup(scene.ref("removal")), "Unavailable", "no pod");
    assertThat(scene.backup(BackupScene.NAME)).isNotNull();
  }

  /** Somebody has written the status of the Backup. */
  @Test
  void shouldDeleteNoCopyOfAnotherBackup() {
    // Given
    var copy = scene.copied();
    cluster
        .named(Backup.class, BackupScene.NAME)
        .editStatus(
            it -> {
              it.setStatus(BackupStatuses.with(it.getStatus(), forged(copy)));
              return it;
            });
    delete();
    // When
    scene.activities().removeBackup(scene.ref("removal"));
    // Then
    assertThat(deleted()).isEmpty();
    assertThat(cluster.events())
        .filteredOn(event -> "BackupRemoved".equals(event.getReason()))
        .allSatisfy(
            event -> assertThat(event.getNote()).contains("that are not its own", "bank/vault"))
        .extracting(event -> event.getRegarding().getKind())
        .containsExactlyInAnyOrder("Backup", "Plugin");
  }

  private static BackupCopy forged(BackupCopy copy) {
    return new BackupCopy(
        copy.id(),
        copy.pod(),
        copy.podUid(),
        1,
        "bank/vault/b-12345678/db/g.1",
        copy.location(),
        copy.bytes(),
        copy.checksum(),
        copy.version(),
        copy.verifiedAt());
  }

  @Test
  void shouldRemoveASucceededBackup() {
    scene.activities().endBackup(new BackupEnd(scene.ref(), "Succeeded", ""));
    delete();

    scene.activities().removeBackup(scene.ref("removal"));

    assertThat(deleted()).hasSize(2);
  }

  private void delete() {
    cluster.client().resource(scene.backup(BackupScene.NAME)).delete();
  }

  private List<String> deleted() {
    return List.of(scene.zero, scene.one).stream()
        .flatMap((FakeAgent agent) -> actions(agent).stream())
        .map(call -> call.replace("run delete-backup {key=", "").replace("}", ""))
        .toList();
  }

  private static void assertFails(Runnable step, String kind, String text) {
    assertThatThrownBy(step::run)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(kind);
              assertThat(e.getOriginalMessage()).contains(text);
            });
  }
}
