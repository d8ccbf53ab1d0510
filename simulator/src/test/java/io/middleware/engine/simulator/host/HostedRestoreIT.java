package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.agent.redis.RedisServers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod whose real Redis begins with a backup. */
class HostedRestoreIT {
  private static final String ADDRESS = "127.88.1.1";
  private static final Pod POD =
      Serialization.unmarshal(
          """
          apiVersion: v1
          kind: Pod
          metadata:
            name: db-0
            namespace: shop
            uid: uid-0
            resourceVersion: "1"
            annotations: {local.middleware.io/process: redis}
          spec:
            terminationGracePeriodSeconds: 5
            initContainers:
            - name: restore
              image: agent
              env: [{name: AGENT_MODE, value: restore}, {name: BACKUP_STORE_FOLDER, value: /etc/backup-store}]
              volumeMounts:
              - {name: data, mountPath: /data}
              - {name: config, mountPath: /etc/redis}
              - {name: backup-store, mountPath: /etc/backup-store}
              - {name: backups, mountPath: /backups}
            containers:
            - name: redis
              image: redis:7.0
              command: [redis-server, /etc/redis/redis.conf, --replicaof, 127.0.0.1, "1", --dir, /data, --bind, $(POD_IP)]
              env: [{name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}]
              lifecycle:
                preStop:
                  exec:
                    command: [sh, -c, 'redis-cli -h "$POD_IP" get k >$1', hook, /data/last-word]
              volumeMounts: [{name: data, mountPath: /data}, {name: config, mountPath: /etc/redis}]
            volumes:
            - {name: data, persistentVolumeClaim: {claimName: data-db-0}}
            - {name: config, configMap: {name: db-config}}
            - {name: backups, persistentVolumeClaim: {claimName: backups}}
            - {name: backup-store, projected: {sources: [{configMap: {name: db-backup-store}}]}}
          status:
            phase: Running
            podIP: 127.88.1.1
            containerStatuses:
            - {name: redis, ready: false, restartCount: 0, image: redis, imageID: "", state: {running: {}}}
          """,
          Pod.class);

  @TempDir Path folder;
  private final FakeOthers others = new FakeOthers();
  private FakeCluster cluster;
  private HostedPod hosted;
  private Thread thread;

  @BeforeEach
  void start() throws Exception {
    var settings =
        new HostSettings(LocalRuntime.redis(), folder, ImagePrograms.NONE, LocalRoots.areAllowed());
    cluster = new FakeCluster();
    cluster.putClaim("data-db-0");
    cluster.putClaim("backups");
    cluster.putConfigMap("db-backup-store", Map.of("folder", "/backups"));
    var checksum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(backup()));
    var request = "key a.rdb\nchecksum sha256:" + checksum + "\n";
    cluster.putConfigMap(
        "db-config", Map.of("redis.conf", "save 60 1\n", "replicas", "1", "restore", request));
    hosted = new HostedPod("db", POD, others.context(cluster, settings));
    thread = Thread.startVirtualThread(hosted);
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (hosted != null) {
      delete();
      hosted.observe(List.of());
      thread.join();
      cluster.close();
    }
    others.close();
  }

  private void delete() {
    var deleted = new PodBuilder(POD).editMetadata();
    hosted.observe(
        List.of(
            deleted
                .withDeletionTimestamp("now")
                .withDeletionGracePeriodSeconds(5L)
                .endMetadata()
                .build()));
    await().atMost(LocalRedis.PATIENCE).until(() -> cluster.isDeleted("db-0"));
  }

  @Test
  void shouldStartRedisWithTheBackupWhenItIsThere() throws IOException {
    await().atMost(LocalRedis.PATIENCE).until(() -> reported().isPresent());
    var failed = reported().orElseThrow().getStatus();
    var init = failed.getInitContainerStatuses().getFirst();
    assertThat(init.getState().getWaiting().getReason()).isEqualTo("CrashLoopBackOff");
    assertThat(init.getLastState().getTerminated().getMessage()).contains("a.rdb is missing");
    assertThat(failed.getContainerStatuses().getFirst().getState().getWaiting().getReason())
        .isEqualTo("PodInitializing");
    assertThat(folder.resolve("log")).doesNotExist();

    Files.write(folder.resolve("volumes/backups/a.rdb"), backup());

    await().atMost(LocalRedis.PATIENCE).until(() -> reported().filter(PodApi::isReady).isPresent());
    var ready = reported().orElseThrow().getStatus();
    assertThat(ready.getInitContainerStatuses().getFirst().getReady()).isTrue();
    assertThat(ready.getContainerStatuses().getFirst().getState().getRunning()).isNotNull();
    assertThat(get("k")).isEqualTo("$1\r\nv\r\n");

    delete();

    assertThat(folder.resolve("volumes/data-db-0/last-word")).hasContent("v\n");
  }

  /** Hands the pod back, as the watch does. */
  private Optional<Pod> reported() {
    var pod = cluster.pod("db-0");
    pod.ifPresent(one -> hosted.observe(List.of(one)));
    return pod;
  }

  /** With one key, in the format of Redis. */
  private static byte[] backup() throws IOException {
    var rdb = new ByteArrayOutputStream();
    rdb.write("REDIS0009".getBytes(StandardCharsets.US_ASCII));
    rdb.write(new byte[] {(byte) 0xfe, 0, 0, 1, 'k', 1, 'v', (byte) 0xff}); // of database 0
    rdb.write(new byte[Long.BYTES]); // no checksum
    return rdb.toByteArray();
  }

  private static String get(String key) throws IOException {
    try (var socket = new Socket(ADDRESS, RedisServers.PORT)) {
      socket.getOutputStream().write(("GET " + key + "\r\n").getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(7), StandardCharsets.US_ASCII);
    }
  }
}
