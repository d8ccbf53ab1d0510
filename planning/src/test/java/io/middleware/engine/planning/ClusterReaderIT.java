package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupSpec;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.json.LenientObjects;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What planning reads of the cluster: Backups before an upgrade, and StorageClasses. */
@ExtendWith(ApiServer.class)
class ClusterReaderIT {
  private final LocalNamespace cluster;
  private final ClusterReader reader;
  private App app;

  ClusterReaderIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.reader =
        new ClusterReader(
            cluster.client(),
            cluster.namespace(),
            new LenientObjects(),
            new Plugins(cluster.client(), cluster.namespace()));
  }

  @BeforeEach
  void deploy() {
    app = cluster.createApp();
  }

  @Test
  void shouldNotCountABackupThatIsDeletedMeanwhile() {
    // Given
    var backup = create("Succeeded", app.getMetadata().getGeneration());
    assertThat(reader.hasBackupBeforeUpgrade(app)).isTrue();
    // When it is being deleted
    cluster.client().resource(backup).delete();
    // Then
    assertThat(cluster.now(backup).isMarkedForDeletion()).isTrue();
    assertThat(reader.hasBackupBeforeUpgrade(app)).isFalse();
    // When it is gone
    release(backup);
    // Then
    assertThat(reader.hasBackupBeforeUpgrade(app)).isFalse();
  }

  @Test
  void shouldCountOnlyAGoodBackupBeforeThisEdit() {
    create("Failed", app.getMetadata().getGeneration());
    assertThat(reader.hasBackupBeforeUpgrade(app)).isFalse();
    create("Succeeded", app.getMetadata().getGeneration() + 1);
    assertThat(reader.hasBackupBeforeUpgrade(app)).isFalse();
  }

  @Test
  void shouldTellWhichStorageClassesLetVolumesGrow() {
    assertThat(reader.volumes().canExpand(cluster.storageClass(true))).isTrue();
    assertThat(reader.volumes().canExpand(cluster.storageClass(false))).isFalse();
    assertThat(reader.volumes().canExpand(cluster.namespace() + "-none")).isFalse();
  }

  private Backup create(String phase, long generation) {
    var backup = new Backup();
    backup.setMetadata(
        new ObjectMetaBuilder()
            .withGenerateName("cache-before-")
            .addToLabels(Labels.APP, "cache")
            .addToLabels(Labels.BEFORE_UPGRADE, String.valueOf(generation))
            .withFinalizers(Labels.BACKUP)
            .build());
    backup.setSpec(new BackupSpec("cache", null, null));
    var created = cluster.create(backup);
    created.setStatus(
        Serialization.unmarshal(
            "---\n{phase: %s, appUid: %s}".formatted(phase, app.getMetadata().getUid()),
            BackupStatus.class));
    return cluster.client().resource(created).updateStatus();
  }

  private void release(Backup backup) {
    cluster
        .named(Backup.class, backup.getMetadata().getName())
        .edit(
            it -> {
              it.getMetadata().setFinalizers(null);
              return it;
            });
    cluster.await().until(() -> cluster.now(backup) == null);
  }
}
