package io.middleware.engine.activities.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.BackupActivities.BackupEnd;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which Backups are deleted after a good one; the App keeps two. */
@ExtendWith(ApiServer.class)
class BackupPruneIT {
  private final LocalNamespace cluster;
  private BackupScene scene;

  BackupPruneIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void open() throws IOException {
    scene = new BackupScene(cluster);
    scene.deploy();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void shouldDeleteTheOldestOnes() {
    // Given
    scene.request();
    scene.activities().beginBackup(scene.ref());
    scene.activities().endBackup(new BackupEnd(scene.ref(), "Succeeded", ""));
    take("cache-1", "Succeeded");
    take("cache-2", "Failed");
    take("cache-3", "Succeeded");
    // When
    scene.activities().pruneBackups(scene.scheduled("cache-3"));
    // Then
    assertThat(isDeleted("cache-1")).isFalse();
    // and with one more
    take("cache-4", "Succeeded");
    scene.activities().pruneBackups(scene.scheduled("cache-4"));
    assertThat(isDeleted("cache-1")).isTrue();
    assertThat(isDeleted("cache-3")).isFalse();
    assertThat(isDeleted(BackupScene.NAME)).isFalse();
  }

  @Test
  void shouldDeleteNothingAfterAFailure() {
    for (var number = 1; number < 4; number++) {
      take("cache-" + number, "Succeeded");
    }
    take("cache-4", "Failed");

    scene.activities().pruneBackups(scene.scheduled("cache-4"));

    assertThat(isDeleted("cache-1")).isFalse();
  }

  @Test
  void shouldKeepTheNewestFailuresOnly() {
    for (var number = 1; number <= PrunedBackups.MOST_BAD + 1; number++) {
      take("cache-%02d".formatted(number), "Failed");
    }

    assertThat(isDeleted("cache-01")).isTrue();
    assertThat(isDeleted("cache-02")).isFalse();
  }

  private void take(String name, String phase) {
    scene.activities().beginBackup(scene.scheduled(name));
    scene.activities().endBackup(new BackupEnd(scene.scheduled(name), phase, ""));
  }

  private boolean isDeleted(String name) {
    Backup backup = scene.backup(name);
    return backup == null || backup.isMarkedForDeletion();
  }
}
