package io.middleware.engine.activities.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.BackupActivities.BackupEnd;
import io.middleware.engine.workflows.port.BackupActivities.NeededBackup;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Backups that changes take before they upgrade. */
@ExtendWith(ApiServer.class)
class UpgradeBackupsIT {
  private static final String FIRST = "cache-before-g7";
  private static final String SECOND = "cache-before-g7-2";

  private final LocalNamespace cluster;
  private BackupScene scene;
  private App app;

  UpgradeBackupsIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void open() throws IOException {
    scene = new BackupScene(cluster);
    app = scene.deploy();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void shouldCreateTheBackupOfAChange() {
    // When
    var begun = scene.activities().beginBackup(scene.beforeUpgradeTo(7, FIRST));
    // Then
    assertThat(begun.refusal()).isEmpty();
    assertThat(begun.timeout()).isEqualTo(Duration.ofHours(2));
    var backup = scene.backup(FIRST);
    assertThat(backup.getMetadata().getLabels())
        .containsEntry(Labels.APP, "cache")
        .containsEntry(Labels.BEFORE_UPGRADE, "7");
    assertThat(backup.getMetadata().getFinalizers()).containsExactly(Labels.BACKUP);
    assertThat(backup.scheduledBy()).isEmpty();
    // and a repeat finds it
    assertThat(scene.activities().beginBackup(scene.beforeUpgradeTo(7, FIRST))).isEqualTo(begun);
  }

  @Test
  void shouldTakeNoBackupOfAnotherNameForItsOwn() {
    // Given
    scene.request();
    // When
    var begun = scene.activities().beginBackup(scene.beforeUpgradeTo(7, BackupScene.NAME));
    // Then
    assertThat(begun.refusal().orElseThrow()).contains("another Backup of this name exists");
    assertThat(scene.backup(BackupScene.NAME).getStatus()).isNull();
  }

  @Test
  void shouldNeedOneGoodBackupHoweverOftenTheChangeIsTried() {
    assertThat(needed(uid())).isEqualTo(new NeededBackup(FIRST, false));
    // When
    take(FIRST, "Failed");
    // Then
    assertThat(needed(uid())).isEqualTo(new NeededBackup(SECOND, false));
    // When
    take(SECOND, "Succeeded");
    // Then
    assertThat(needed(uid())).isEqualTo(new NeededBackup(SECOND, true));
  }

  @Test
  void shouldNotBelieveTheBackupOfAnEarlierAppOrOneThatIsLeaving() {
    // Given
    take(FIRST, "Succeeded");
    // Then
    assertThat(needed("uid-of-a-later-app")).isEqualTo(new NeededBackup(SECOND, false));
    // When
    cluster.client().resource(scene.backup(FIRST)).delete();
    // Then
    assertThat(needed(uid())).isEqualTo(new NeededBackup(SECOND, false));
  }

  @Test
  void shouldNotTakeTheBackupOfAPersonForItsOwn() {
    // Given
    scene.request();
    scene.activities().beginBackup(scene.ref());
    scene.activities().endBackup(new BackupEnd(scene.ref(), "Succeeded", ""));
    // Then
    assertThat(needed(uid())).isEqualTo(new NeededBackup(FIRST, false));
  }

  private void take(String name, String end) {
    var ref = scene.beforeUpgradeTo(7, name);
    scene.activities().beginBackup(ref);
    scene.activities().endBackup(new BackupEnd(ref, end, "as it went"));
  }

  private NeededBackup needed(String uid) {
    var change = new ChangeRef(cluster.namespace(), "cache", uid, 7, BackupScene.RUN);
    return scene
        .activities()
        .neededBackup(new TaskRef(change, "7-backup-cache", ChangeType.BACKUP, "cache"));
  }

  private String uid() {
    return app.getMetadata().getUid();
  }
}
