package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod of a StatefulSet that has init containers and no agent. */
class CommandPodIT {
  private static final String CHECKSUM =
      "sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"; // of "x"
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
            annotations: {local.middleware.io/process: command}
          spec:
            initContainers:
            - name: restore
              image: any
              command: [/agent/agent]
              env:
              - {name: AGENT_MODE, value: restore-commands}
              - {name: AGENT_ACTIONS_FOLDER, value: /commands}
              - {name: BACKUP_STORE_FOLDER, value: /etc/store}
              - {name: RESTORE_FILE, value: /etc/db/restore}
              volumeMounts:
              - {name: data, mountPath: /data}
              - {name: config, mountPath: /etc/db}
              - {name: commands, mountPath: /commands}
              - {name: store, mountPath: /etc/store}
              - {name: backups, mountPath: /backups}
            - name: prepare
              image: any
              command: [sh, -c, 'test -e /data/allowed || { echo not allowed >/dev/termination-log; exit 4; }']
              volumeMounts: [{name: data, mountPath: /data}]
            containers:
            - name: db
              image: any
              terminationMessagePolicy: FallbackToLogsOnError
              command: [sh, -c, 'test -e /data/valid || { echo not valid; exit 3; }; trap "" TERM; touch /tmp/up; echo at $(cat /etc/one.conf) >>/data/starts; while :; do sleep 0.1; done']
              readinessProbe: {exec: {command: [test, -e, /tmp/up]}, periodSeconds: 1, timeoutSeconds: 10}
              volumeMounts:
              - {name: data, mountPath: /data}
              - {name: config, mountPath: /etc/one.conf, subPath: one.conf}
            volumes:
            - {name: data, persistentVolumeClaim: {claimName: data-db-0}}
            - {name: backups, persistentVolumeClaim: {claimName: backups}}
            - {name: config, configMap: {name: config}}
            - {name: commands, configMap: {name: commands}}
            - {name: store, configMap: {name: store}}
          status:
            phase: Running
            podIP: 127.88.2.1
            containerStatuses:
            - {name: db, ready: false, restartCount: 0, image: any, imageID: "", state: {running: {}}}
          """,
          Pod.class);

  @TempDir Path folder;
  private final FakeOthers others = new FakeOthers();
  private FakeCluster cluster;
  private HostedPod hosted;
  private Thread thread;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(LocalRoots.areAllowed(), "this machine allows no namespaces");
    cluster = new FakeCluster();
    cluster.putClaim("data-db-0");
    cluster.putClaim("backups");
    cluster.putConfigMap(
        "config", Map.of("one.conf", "one", "restore", "key a\nchecksum " + CHECKSUM + "\n"));
    cluster.putConfigMap("commands", Map.of("restore", "#!/bin/sh -e\ncat >/data/restored"));
    cluster.putConfigMap("store", Map.of("folder", "/backups"));
    var settings = new HostSettings(folder.resolve("redis"), folder, ImagePrograms.NONE, true);
    hosted = new HostedPod("db", POD, others.context(cluster, settings));
    thread = Thread.startVirtualThread(hosted);
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (hosted != null) {
      hosted.observe(List.of());
      thread.join();
      cluster.close();
    }
    others.close();
  }

  @Test
  void shouldRestoreThenPrepareThenServeAndKillWhatDoesNotEnd() throws IOException {
    // Given a backup that is missing
    awaitFailure(0, "a is missing");
    // When it is there
    Files.writeString(folder.resolve("volumes/backups/a"), "x");
    // Then it is restored, and the next init container fails
    awaitFailure(1, "exit code 4: not allowed");
    assertThat(folder.resolve("volumes/data-db-0/restored")).hasContent("x");
    // When that succeeds
    Files.createFile(folder.resolve("volumes/data-db-0/allowed"));
    // Then the container ends at once, is tried again, and its last words are reported
    await()
        .atMost(LocalRedis.PATIENCE)
        .untilAsserted(
            () -> {
              var container = reported().getStatus().getContainerStatuses().getFirst();
              assertThat(container.getRestartCount()).isPositive();
              assertThat(container.getState().toString()).contains("CrashLoopBackOff");
              var end = container.getLastState().getTerminated();
              assertThat(end.getExitCode()).isEqualTo(3);
              assertThat(end.getMessage()).endsWith("not valid");
            });
    // When its reason is gone
    Files.createFile(folder.resolve("volumes/data-db-0/valid"));
    // Then the container begins, with a /tmp of its own
    await().atMost(LocalRedis.PATIENCE).until(() -> PodApi.isReady(reported()));
    assertThat(folder.resolve("volumes/data-db-0/starts")).hasContent("at one");
    assertThat(Path.of("/tmp/up")).doesNotExist();
    // When it is asked to end, and does not
    delete(1);
    // Then it is killed
    await().atMost(LocalRedis.PATIENCE).until(() -> cluster.isDeleted("db-0"));
    assertThat(folder.resolve("run/uid-0")).doesNotExist();
  }

  private void awaitFailure(int number, String message) {
    await()
        .atMost(LocalRedis.PATIENCE)
        .untilAsserted(
            () -> {
              var init = reported().getStatus().getInitContainerStatuses();
              assertThat(init).hasSizeGreaterThan(number);
              assertThat(init.get(number).getLastState().getTerminated().getMessage())
                  .contains(message);
            });
  }

  /** Hands the pod back, as the watch does. */
  private Pod reported() {
    var pod = cluster.pod("db-0").orElse(POD);
    hosted.observe(List.of(pod));
    return pod;
  }

  private void delete(long grace) {
    var deleted =
        new PodBuilder(reported())
            .editMetadata()
            .withDeletionTimestamp("now")
            .withDeletionGracePeriodSeconds(grace)
            .endMetadata()
            .build();
    hosted.observe(List.of(deleted));
  }
}
