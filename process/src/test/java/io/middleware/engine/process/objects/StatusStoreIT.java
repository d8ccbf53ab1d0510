package io.middleware.engine.process.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupSpec;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.OnApiServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnApiServer.class)
class StatusStoreIT {
  private static final BackupStatus WAITING = BackupStatus.pending("waits");

  private final LocalCluster cluster;
  private final StatusStore<BackupSpec, BackupStatus, Backup> store;

  StatusStoreIT(LocalCluster cluster) {
    this.cluster = cluster;
    this.store = new StatusStore<>(cluster.client(), Backup.class, Backup::new);
  }

  @Test
  void shouldWriteTheStatusAndNothingElse() {
    // Given
    var seen = create("written");
    seen.setSpec(new BackupSpec("other", null, null));
    // When
    var written = store.write(seen, WAITING);
    // Then
    var now = store.find(cluster.namespace(), "written");
    assertThat(now).map(Backup::getStatus).contains(WAITING);
    assertThat(now).map(it -> it.getSpec().app()).contains("cache");
    assertThat(written.orElseThrow().getMetadata()).isEqualTo(now.orElseThrow().getMetadata());
  }

  @Test
  void shouldNotWriteTheSameStatusAgain() {
    // Given
    var seen = store.write(create("same"), WAITING).orElseThrow();
    // When
    var written = store.write(seen, WAITING);
    // Then
    assertThat(written).containsSame(seen);
  }

  @Test
  void shouldWriteNothingOntoAnotherVersion() {
    // Given
    var seen = create("touched");
    cluster.client().resource(seen).edit(it -> labelled(it));
    // When
    var written = store.write(seen, WAITING);
    // Then
    assertThat(written).isEmpty();
    assertThat(store.find(cluster.namespace(), "touched")).map(Backup::getStatus).isEmpty();
  }

  @Test
  void shouldWriteNothingOntoAnObjectThatIsGone() {
    // Given
    var seen = create("gone");
    cluster.client().resource(seen).delete();
    // Then
    assertThat(store.write(seen, WAITING)).isEmpty();
    assertThat(store.find(cluster.namespace(), "gone")).isEmpty();
  }

  @Test
  void shouldWriteNothingOntoALaterObjectOfTheSameName() {
    // Given
    var seen = create("again");
    cluster.client().resource(seen).delete();
    create("again");
    // Then
    assertThat(store.write(seen, WAITING)).isEmpty();
    assertThat(store.find(cluster.namespace(), "again")).map(Backup::getStatus).isEmpty();
  }

  @Test
  void shouldFailWhenTheApiServerRefusesTheStatus() {
    var seen = create("refused");
    assertThatThrownBy(() -> store.write(seen, BackupStatus.pending("x".repeat(1_000_000))))
        .isInstanceOf(KubernetesClientException.class);
  }

  private Backup create(String name) {
    var backup = new Backup();
    backup.getMetadata().setName(name);
    backup.setSpec(new BackupSpec("cache", null, null));
    return cluster.create(backup);
  }

  private static Backup labelled(Backup backup) {
    backup.getMetadata().setLabels(Map.of("touched", "true"));
    return backup;
  }
}
