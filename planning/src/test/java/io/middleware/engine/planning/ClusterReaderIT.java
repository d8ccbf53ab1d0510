package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupSpec;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.json.LenientObjects;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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
    this.reader = reader(cluster.client());
  }

  private ClusterReader reader(KubernetesClient client) {
    return new ClusterReader(
        client,
        cluster.namespace(),
        new LenientObjects(),
        new Plugins(client, cluster.namespace(), List.of()));
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

  /** As the garbage collector does after {@code kubectl delete app --cascade=foreground}. */
  @Test
  void shouldFindAComponentThatTheCollectorTakesAwayMeanwhile() {
    // Given
    cluster.create(component());
    var taken = new AtomicBoolean();
    var collector =
        new Interceptor() {
          @Override
          public void after(
              HttpRequest request,
              HttpResponse<?> response,
              AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            if (request.uri().getPath().endsWith("/components") && !taken.getAndSet(true)) {
              takeAway();
            }
          }
        };
    try (var client =
        new KubernetesClientBuilder()
            .withConfig(cluster.client().getConfiguration())
            .withHttpClientBuilderConsumer(it -> it.addOrReplaceInterceptor("gc", collector))
            .build()) {
      // When Then
      assertThat(reader(client).componentsToRemove(app)).hasSize(1);
      assertThat(taken).isTrue();
      assertThat(reader(client).componentsToRemove(app)).hasSize(1);
    }
  }

  private Component component() {
    var component = new Component();
    component.setMetadata(
        new ObjectMetaBuilder()
            .withName("cache-db")
            .addToLabels(Labels.APP, "cache")
            .addToLabels(Labels.COMPONENT, "db")
            .addToLabels(Labels.APP_UID, app.getMetadata().getUid())
            .addNewOwnerReference()
            .withApiVersion(app.getApiVersion())
            .withKind(app.getKind())
            .withName("cache")
            .withUid(app.getMetadata().getUid())
            .withController(true)
            .endOwnerReference()
            .build());
    component.setSpec(
        new ComponentSpec("cache", "db", "db", null, null, null, null, null, null, null));
    return component;
  }

  private void takeAway() {
    cluster
        .named(Component.class, "cache-db")
        .edit(
            it -> {
              it.getMetadata().setOwnerReferences(List.of());
              return it;
            });
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
