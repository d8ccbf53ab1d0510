package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.store.StoreSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod with the store of its backups, as the Plugin for Redis makes it. */
class HostedBackupsTest {
  private static final String CHECKSUM =
      "sha256:4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a";
  private static final Pod POD =
      Serialization.unmarshal(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: db-0, namespace: shop, uid: uid-0}
          spec:
            initContainers:
            - name: restore
              image: agent
              env:
              - {name: AGENT_MODE, value: restore}
              - {name: BACKUP_STORE_FOLDER, value: /etc/backup-store}
              volumeMounts:
              - {name: data, mountPath: /data}
              - {name: config, mountPath: /etc/redis}
              - {name: backup-store, mountPath: /etc/backup-store}
              - {name: backups, mountPath: /backups, subPath: redis}
            containers:
            - {name: redis}
            - name: agent
              env: [{name: BACKUP_STORE_FOLDER, value: /etc/backup-store}]
              volumeMounts:
              - {name: backup-store, mountPath: /etc/backup-store}
              - {name: backups, mountPath: /backups, subPath: redis}
            volumes:
            - {name: data, persistentVolumeClaim: {claimName: data-db-0}}
            - {name: config, configMap: {name: db-config}}
            - {name: backups, persistentVolumeClaim: {claimName: backups}}
            - name: backup-store
              projected:
                sources:
                - {configMap: {name: db-backup-store}}
                - {secret: {name: key, optional: true}}
          status:
            podIP: 127.0.0.1
            containerStatuses: [{name: redis, ready: false}]
          """,
          Pod.class);

  @TempDir Path folder;
  private final FakeOthers others = new FakeOthers();
  private FakeCluster cluster;
  private HostSettings settings;

  @BeforeEach
  void start() throws IOException {
    cluster = new FakeCluster();
    settings = new HostSettings(Path.of("/redis-server"), folder, ImagePrograms.NONE, true);
    cluster.putClaim("data-db-0");
    cluster.putClaim("backups");
    cluster.putConfigMap("db-backup-store", Map.of("folder", "/backups"));
    cluster.putConfigMap("db-config", config(Map.of()));
  }

  @AfterEach
  void stop() {
    others.close();
    cluster.close();
  }

  @Test
  void shouldReadTheStoreOfTheMomentFromConfigMapAndSecret() {
    var store = HostedStore.of(POD, cluster.client(), settings).orElseThrow();
    cluster.putConfigMap(
        "db-backup-store", Map.of("endpoint", "https://s3.example.com", "bucket", "b"));

    assertThatThrownBy(store::settings).hasMessageContaining("the setting 'access-key'");
    cluster.putSecret("key", Map.of("access-key", "a", "secret-key", "s"));

    assertThat(store.settings())
        .isInstanceOfSatisfying(
            StoreSettings.S3.class,
            s3 -> {
              assertThat(s3.endpoint()).isEqualTo(URI.create("https://s3.example.com"));
              assertThat(s3.credentials()).isEqualTo(new StoreSettings.S3Credentials("a", "s"));
            });
    cluster.putConfigMap("db-backup-store", Map.of("folder", "/backups"));
    assertThat(store.settings())
        .isEqualTo(new StoreSettings.Folder(folder.resolve("volumes/backups/redis")));
  }

  @Test
  void shouldSayWhatIsMissing() {
    var pod = new PodBuilder(POD).editMetadata().withNamespace("other").endMetadata().build();

    assertThatThrownBy(
            () -> HostedStore.of(pod, cluster.client(), settings).orElseThrow().settings())
        .hasMessage(
            "UNAVAILABLE: cannot mount the settings of the backup store: there is no ConfigMap other/db-backup-store");
  }

  @Test
  void shouldHaveNoStoreWithoutAVariable() {
    var pod = new PodBuilder(POD).editSpec().withContainers().endSpec().build();

    assertThat(HostedStore.of(pod, cluster.client(), settings)).isEmpty();
  }

  @Test
  void shouldRestoreWhenTheBackupIsThere() throws IOException {
    cluster.putConfigMap(
        "db-config", config(Map.of("restore", "key a.rdb\nchecksum " + CHECKSUM + "\n")));
    var init = init();

    assertThat(init.run()).isFalse();
    var status = init.status().orElseThrow();
    assertThat(status.getReady()).isFalse();
    assertThat(status.getState().getWaiting().getReason()).isEqualTo("CrashLoopBackOff");
    assertThat(status.getLastState().getTerminated().getMessage())
        .contains("a.rdb is missing: it was deleted, or never written");
    assertThat(init.isReportedBy(POD)).isFalse();
    Files.write(folder.resolve("volumes/backups/redis/a.rdb"), new byte[] {1});

    await().until(init::run);

    assertThat(folder.resolve("volumes/data-db-0/dump.rdb")).hasBinaryContent(new byte[] {1});
    assertThat(init.status().orElseThrow().getReady()).isTrue();
    assertThat(init.status().orElseThrow().getState().getTerminated().getExitCode()).isZero();
  }

  @Test
  void shouldRestoreNothingWithoutARequest() throws IOException {
    cluster.putConfigMap("db-config", config(Map.of("restore", "key a.rdb\n")));
    var init = init();
    assertThat(init.run()).isFalse();
    cluster.putConfigMap("db-config", config(Map.of()));

    await().until(init::run);

    assertThat(folder.resolve("volumes/data-db-0")).isEmptyDirectory();
    assertThat(folder.resolve("run/uid-0/config/restore")).doesNotExist();
  }

  private InitContainer init() {
    var observed = new SiblingPods(POD);
    var peers = new HostedPeers(observed, new PodConfig(POD, cluster.client()), RedisServers.PORT);
    var container = POD.getSpec().getInitContainers().getFirst();
    var restore = new HostedRestore(POD, container, peers, others.context(cluster, settings));
    return new InitContainer("shop/db-0", container, () -> Optional.of(restore.run()));
  }

  private static Map<String, String> config(Map<String, String> more) {
    var data = new HashMap<>(Map.of("redis.conf", "appendonly no\n", "replicas", "1"));
    data.putAll(more);
    return data;
  }
}
