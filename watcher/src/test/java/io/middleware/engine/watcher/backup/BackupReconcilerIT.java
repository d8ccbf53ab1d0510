package io.middleware.engine.watcher.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.request.HeldRequestContract;
import io.middleware.engine.watcher.request.RequestReconciler;
import io.middleware.engine.watcher.request.RequestSubmissions;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackupReconcilerIT extends HeldRequestContract<Backup> {
  private static final String COPIED =
      "{\"phase\": \"Succeeded\", \"completedAt\": \"2026-11-25T03:00:00Z\","
          + " \"copies\": [{\"id\": \"db/g\", \"key\": \"a\"}]}";

  BackupReconcilerIT(LocalCluster cluster, LocalTemporal server) {
    super(cluster, server, Labels.BACKUP);
  }

  @Test
  void shouldReleaseABackupOfWhichNothingIsInTheStore() {
    // Given
    var backup = submitted("not-begun");
    // When
    cluster.client().resource(backup).delete();
    // Then
    cluster.await().until(() -> temporal.isCancelled(workflowId("not-begun")));
    assertThat(cluster.now(backup)).isNotNull();
    // and then
    temporal.end(workflowId("not-begun"));
    touch(backup);
    cluster.await().until(() -> cluster.now(backup) == null);
  }

  @Test
  void shouldHoldABackupUntilTheRunThatDeletesItsCopiesReleasesIt() {
    // Given
    var backup = submitted("copied");
    temporal.end(workflowId("copied"));
    cluster.patchStatus(backup, COPIED);
    // When
    cluster.client().resource(backup).delete();
    // Then
    cluster.await().until(() -> temporal.isOpen(workflowId("copied") + "/removal"));
    assertThat(cluster.now(backup).getFinalizers()).containsExactly(Labels.BACKUP);
    // and then
    edit(backup, it -> it.getMetadata().setFinalizers(List.of()));
    assertThat(cluster.now(backup)).isNull();
  }

  /** Nobody waits for a run by the clock: it is open when it creates its Backup. */
  @Test
  void shouldEndAScheduledBackupWhoseRunIsGone() {
    // When
    var backup =
        cluster.create(
            Backup.class,
            """
            metadata: {name: cache-1, annotations: {%s: "%s/backup/%s/cache-2026-11-25T03:00:00Z"}}
            spec: {app: cache}
            """
                .formatted(Labels.SCHEDULED_BY, temporal.cluster, cluster.namespace()));
    // Then
    cluster.await().until(() -> cluster.now(backup).hasEnded());
    assertThat(cluster.now(backup).getStatus().message())
        .startsWith("its run ended without a result");
    assertThat(temporal.isOpen(workflowId("cache-1"))).isFalse();
  }

  @Override
  protected RequestReconciler<Backup> reconciler() {
    var submissions =
        new RequestSubmissions(cluster.client(), temporal.calls, InstantSource.system());
    return BackupKind.reconciler(submissions, temporal.cluster);
  }

  @Override
  protected String workflowId(String name) {
    return "backup/%s/%s".formatted(cluster.namespace(), name);
  }

  @Override
  protected List<String> phases() {
    return List.of("InProgress", "Succeeded");
  }

  @Override
  public Backup create(String name) {
    return cluster.create(Backup.class, SampleBackups.YAML.formatted(name));
  }
}
