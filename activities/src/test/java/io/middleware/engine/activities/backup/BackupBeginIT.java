package io.middleware.engine.activities.backup;

import static io.middleware.engine.cluster.SampleObjects.set;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.BackupSpec;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.BackupActivities.BackupEnd;
import io.middleware.engine.workflows.port.BackupActivities.BackupGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How Backups begin and end, and why some do not begin. */
@ExtendWith(ApiServer.class)
class BackupBeginIT {
  private final LocalNamespace cluster;
  private BackupScene scene;

  BackupBeginIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void open() throws IOException {
    scene = new BackupScene(cluster);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void shouldBeginWhatAPersonAsksFor() {
    // Given
    var app = scene.deploy();
    scene.request();
    // When
    var begun = scene.activities().beginBackup(scene.ref());
    // Then
    assertThat(begun.refusal()).isEmpty();
    assertThat(begun.groups()).containsExactly(new BackupGroup("db", "g"));
    assertThat(begun.timeout()).isEqualTo(Duration.ofHours(1));
    var status = scene.status();
    assertThat(status.phase()).isEqualTo("InProgress");
    assertThat(status.appUid()).isEqualTo(app.getMetadata().getUid());
    assertThat(status.done()).isEqualTo("0/1");
    assertThat(status.store()).isEqualTo("nightly");
    assertThat(status.plugin().name()).isEqualTo("redis");
    assertThat(status.runtime().version()).isEqualTo("7.0");
    assertThat(status.runId()).isEqualTo("run-1");
    // and a repeat answers the same
    assertThat(scene.activities().beginBackup(scene.ref())).isEqualTo(begun);
    assertThat(scene.status()).isEqualTo(status);
    // and another run of it goes on
    assertThat(scene.activities().beginBackup(scene.ref("run-2"))).isEqualTo(begun);
    assertThat(scene.status().runId()).isEqualTo("run-2");
  }

  @Test
  void shouldLeaveOutAGroupWithoutPodsAndSaySo() {
    // Given
    scene.deploy();
    addGroupWithoutPods();
    scene.request();
    // When
    var begun = scene.activities().beginBackup(scene.ref());
    // Then
    assertThat(begun.groups()).containsExactly(new BackupGroup("db", "g"));
    assertThat(scene.status().withoutPods()).containsExactly("db/none");
    assertThat(scene.status().message()).isEqualTo("has begun; without db/none, which had no pods");
    // and also at the end
    scene.activities().endBackup(new BackupEnd(scene.ref(), "Succeeded", ""));
    assertThat(scene.status().withoutPods()).containsExactly("db/none");
    assertThat(scene.status().message()).isEqualTo("without db/none, which had no pods");
    assertThat(cluster.events())
        .filteredOn(event -> "BackupSucceeded".equals(event.getReason()))
        .allSatisfy(
            event -> assertThat(event.getNote()).endsWith("; without db/none, which had no pods"));
  }

  /** Such as one that an autoscaler has emptied. */
  @Test
  void shouldRefuseAnAppWithoutAnyPods() {
    scene.deploy();
    scene.view.sets.clear();
    scene.view.sets.add(set(0, 1));

    assertRefused("no group with data of App %s/cache has pods; only running pods are backed up");
  }

  private void addGroupWithoutPods() {
    cluster
        .named(Component.class, "cache-db")
        .edit(
            it -> {
              var spec = Serialization.asYaml(it.getSpec());
              var more = spec.replace("groups:\n", "groups:\n- {name: none, replicas: 0}\n");
              it.setSpec(Serialization.unmarshal(more, ComponentSpec.class));
              return it;
            });
  }

  @Test
  void shouldCreateTheBackupOfASchedule() {
    // Given
    scene.deploy();
    // When
    var begun = scene.activities().beginBackup(scene.scheduled("cache-1"));
    // Then
    assertThat(begun.timeout()).isEqualTo(Duration.ofHours(2));
    var backup = scene.backup("cache-1");
    assertThat(backup.scheduledBy()).hasValue(scene.scheduled("cache-1").workflowId());
    assertThat(backup.getMetadata().getFinalizers()).containsExactly(Labels.BACKUP);
    assertThat(backup.getMetadata().getLabels()).containsEntry(Labels.APP, "cache");
    // and a repeat finds it
    assertThat(scene.activities().beginBackup(scene.scheduled("cache-1"))).isEqualTo(begun);
  }

  @Test
  void shouldRefuseANameThatIsTaken() {
    scene.deploy();
    scene.request();

    var begun = scene.activities().beginBackup(scene.scheduled(BackupScene.NAME));

    assertThat(begun.refusal().orElseThrow()).contains("another Backup of this name exists");
    assertThat(scene.backup(BackupScene.NAME).getStatus()).isNull();
    assertThat(scene.reasons("App")).containsExactly("BackupFailed");
  }

  @Test
  void shouldDeleteTheScheduleOfAnAppThatIsGone() {
    var begun = scene.activities().beginBackup(scene.scheduled("cache-1"));

    assertThat(begun.refusal().orElseThrow()).contains("does not exist; its backup schedule");
    assertThat(scene.deletedSchedules)
        .containsExactly("backup/%s/cache".formatted(cluster.namespace()));
    assertThat(scene.backup("cache-1")).isNull();
  }

  @Test
  void shouldRefuseWithoutAnApp() {
    assertRefused("App %s/cache does not exist");
  }

  @Test
  void shouldRefuseAStoppedApp() {
    scene.createApp(it -> it.replace("spec:", "spec:\n  state: Stopped"));
    assertRefused("App %s/cache is stopped; only running pods are backed up");
  }

  @Test
  void shouldRefuseAnAppThatIsBeingDeleted() {
    cluster.deleteByForce(scene.createApp(UnaryOperator.identity()));
    assertRefused("App %s/cache is being deleted");
  }

  @Test
  void shouldRefuseAnAppWithoutAStore() {
    scene.createApp(it -> it.replace("store: nightly, ", ""));
    assertRefused("App %s/cache has no spec.backup.store: name a BackupStore of its namespace");
  }

  @Test
  void shouldRefuseAStoreThatDoesNotExist() {
    scene.createApp(UnaryOperator.identity());
    assertRefused(
        "BackupStore %1$s/nightly, which App %1$s/cache names in spec.backup.store, does not exist");
  }

  @Test
  void shouldRefuseAnAppThatIsNotDeployed() {
    cluster.create(BackupScene.store());
    scene.createApp(UnaryOperator.identity());
    assertRefused("App %s/cache is not deployed yet");
  }

  @Test
  void shouldRefuseAStoreThatIsNotDeployed() {
    scene.createPlugin("redis");
    var other = BackupScene.store();
    other.getMetadata().setName("weekly");
    cluster.create(other);
    scene.createComponent(scene.createApp(it -> it.replace("nightly", "weekly")));
    assertRefused(
        "spec.backup.store of App %s/cache is not deployed yet: wait until its change has ended");
  }

  @Test
  void shouldRefuseTypesThatCannotBeBackedUp() {
    scene.createPlugin("sentinel");
    deployWithoutPlugin();
    assertRefused(
        "App %s/cache has no component of a type that supports Backup in Plugin redis 1.0.0");
  }

  @Test
  void shouldRefuseWithoutItsPlugin() {
    deployWithoutPlugin();
    assertRefused("Plugin %s/redis-v1.0.0 does not exist");
  }

  @Test
  void shouldNotBeginWhatHasEnded() {
    // Given
    scene.deploy();
    scene.request();
    scene.activities().beginBackup(scene.ref());
    scene.activities().endBackup(new BackupEnd(scene.ref(), "Succeeded", ""));
    var ended = scene.status();
    // When
    var begun = scene.activities().beginBackup(scene.ref("run-2"));
    // Then
    assertThat(begun.refusal().orElseThrow()).endsWith("has ended before: Succeeded");
    assertThat(scene.status()).isEqualTo(ended);
    assertThat(scene.reasons("App")).containsExactly("BackupSucceeded");
    assertThat(scene.reasons("Backup")).containsExactly("BackupSucceeded");
    // and of a repeat there is no second event
    scene.activities().endBackup(new BackupEnd(scene.ref(), "Succeeded", ""));
    assertThat(scene.reasons("Backup")).hasSize(1);
  }

  @Test
  void shouldNotBeginWhatIsCancelled() {
    // Given
    scene.deploy();
    var backup = scene.request();
    backup.setSpec(new BackupSpec("cache", null, true));
    cluster.client().resource(backup).update();
    // When
    var begun = scene.activities().beginBackup(scene.ref());
    // Then
    assertThat(begun.refusal()).hasValue("it was cancelled before it had begun");
    assertThat(scene.status().phase()).isEqualTo("Cancelled");
  }

  @Test
  void shouldShowARefusalOfAScheduleOnTheAppToo() {
    scene.createApp(it -> it.replace("spec:", "spec:\n  state: Stopped"));

    scene.activities().beginBackup(scene.scheduled("cache-1"));

    assertThat(scene.backup("cache-1").getStatus().phase()).isEqualTo("Failed");
    assertThat(scene.reasons("App")).containsExactly("BackupFailed");
  }

  private void deployWithoutPlugin() {
    cluster.create(BackupScene.store());
    scene.createComponent(scene.createApp(UnaryOperator.identity()));
  }

  private void assertRefused(String form) {
    var why = form.formatted(cluster.namespace());
    scene.request();
    var begun = scene.activities().beginBackup(scene.ref());
    assertThat(begun.refusal()).hasValue(why);
    assertThat(begun.groups()).isEmpty();
    assertThat(scene.status().phase()).isEqualTo("Failed");
    assertThat(scene.status().message()).isEqualTo(why);
    assertThat(scene.backup(BackupScene.NAME).hasEnded()).isTrue();
    assertThat(scene.reasons("Backup")).containsExactly("BackupFailed");
    // and a repeat answers the same
    assertThat(scene.activities().beginBackup(scene.ref()).refusal()).hasValue(why);
  }
}
