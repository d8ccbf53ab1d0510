package io.middleware.engine.watcher.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Backup;
import io.middleware.engine.api.Labels;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.process.servers.OnTemporal;
import io.middleware.engine.watcher.LocalOperator;
import io.middleware.engine.watcher.apiserver.ClusterCase;
import io.middleware.engine.watcher.change.RunsOnTemporal;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnTemporal.class)
class BackupReconcilerIT extends ClusterCase<Backup> {
  private static final String COPIED =
      "{\"phase\": \"Succeeded\", \"completedAt\": \"2026-11-25T03:00:00Z\","
          + " \"copies\": [{\"id\": \"db/g\", \"key\": \"a\"}]}";

  private final RunsOnTemporal temporal;
  private LocalOperator operator;

  BackupReconcilerIT(LocalCluster cluster, LocalTemporal server) {
    super(cluster);
    this.temporal = new RunsOnTemporal(server);
  }

  @BeforeEach
  void start() {
    var submission =
        new BackupSubmission(
            new TemporalBackupRuns(temporal.calls, temporal.cluster),
            new LiveBackups(cluster.client()),
            temporal.cluster,
            InstantSource.system());
    operator = LocalOperator.start(cluster, new BackupReconciler(submission));
  }

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void shouldReleaseABackupOfWhichNothingIsInTheStore() {
    // Given
    var backup = submitted();
    // When
    cluster.client().resource(backup).delete();
    // Then
    cluster.await().until(() -> temporal.isCancelled(workflowId()));
    assertThat(cluster.now(backup)).isNotNull();
    // and then
    temporal.end(workflowId());
    touch(backup);
    cluster.await().until(() -> cluster.now(backup) == null);
  }

  @Test
  void shouldHoldABackupUntilTheRunThatDeletesItsCopiesReleasesIt() {
    // Given
    var backup = submitted();
    temporal.end(workflowId());
    cluster.patchStatus(backup, COPIED);
    // When
    cluster.client().resource(backup).delete();
    // Then
    cluster.await().until(() -> temporal.isOpen(workflowId() + "/removal"));
    assertThat(cluster.now(backup).getFinalizers()).containsExactly(Labels.BACKUP);
    // and then
    edit(backup, it -> it.getMetadata().setFinalizers(List.of()));
    assertThat(cluster.now(backup)).isNull();
  }

  private Backup submitted() {
    var backup = create("mine");
    cluster.await().until(() -> temporal.isOpen(workflowId()));
    return backup;
  }

  private String workflowId() {
    return "backup/%s/mine".formatted(cluster.namespace());
  }

  @Override
  public Backup create(String name) {
    return cluster.create(Backup.class, TestBackups.YAML.formatted(name));
  }
}
