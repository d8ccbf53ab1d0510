package io.middleware.engine.e2e.chart;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.LocalPrometheus;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs whose commands are real processes, and a real Prometheus. */
@EndToEnd
class LocalPartsE2E {
  private static final String BENCHMARK =
      "redis-benchmark -h $TARGET_HOST -t set -n 2000 -c 5 -q"
          + " && redis-cli -h $TARGET_HOST dbsize >/dev/termination-log";

  private final Shop shop;

  LocalPartsE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void assumeReal() {
    DeployedRedisGroup.assumeReal();
  }

  @AfterEach
  void deleteJob() {
    shop.client.batch().v1().jobs().inNamespace(shop.namespace).withName("load").delete();
  }

  @Test
  void shouldMeasureARealRedisThatAJobLoads() throws IOException {
    var prometheus = LocalPrometheus.start();
    try (var group = new DeployedRedisGroup(shop, "main")) {
      // Given
      group.deploy(shop.file("plugins/redis/app-replication.yaml"));
      var primary = group.primary();
      // When
      run(BENCHMARK, address(primary));
      // Then
      var end = awaitEnd("Succeeded");
      assertThat(end.getExitCode()).isZero();
      assertThat(end.getMessage()).isEqualTo("1\n");
      assertThat(log()).contains("requests per second");
      // and
      var ofShop = "namespace=\"%s\"".formatted(shop.namespace);
      awaitSamples(
          prometheus, "redis_connected_slaves{%s} > 0".formatted(ofShop), Map.of(primary, 2.0));
      awaitSamples(
          prometheus,
          "redis_commands_total{%s, cmd=\"set\", component=\"redis-nodes\"} >= bool 2000"
                  .formatted(ofShop)
              + " and on (namespace, pod) redis_connected_slaves > 0",
          Map.of(primary, 1.0));
      awaitSamples(
          prometheus,
          "redis_up{%s, group=\"main\"}".formatted(ofShop),
          group.pods().stream().collect(toMap(pod -> pod.getMetadata().getName(), pod -> 1.0)));
    }
  }

  @Test
  void shouldMeasureTheEngine() {
    var prometheus = LocalPrometheus.start();
    await("all scraped")
        .ignoreExceptions()
        .until(
            () -> prometheus.query("up == 1", "job").keySet(),
            jobs -> jobs.containsAll(List.of("watcher", "worker", "temporal", "etcd")));
    await("phases")
        .ignoreExceptions()
        .until(() -> !prometheus.query("middleware_apps", "phase").isEmpty());
  }

  @Test
  void shouldEvaluateTheAlertsOfThePlugins() {
    var prometheus = LocalPrometheus.start();
    await("all evaluated")
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(prometheus.alerts())
                    .containsKeys("RedisPrimaryMissing", "EtcdNoLeader")
                    .allSatisfy((alert, health) -> assertThat(health).as(alert).isEqualTo("ok")));
  }

  @Test
  void shouldReportHowACommandFails() {
    // When
    run("echo no route; exit 3", "127.0.0.1");
    // Then
    var end = awaitEnd("Failed");
    assertThat(end.getExitCode()).isEqualTo(3);
    assertThat(end.getMessage()).isEqualTo("no route");
    await("Job failed")
        .until(
            () ->
                Objects.equals(
                    1,
                    shop.client
                        .batch()
                        .v1()
                        .jobs()
                        .inNamespace(shop.namespace)
                        .withName("load")
                        .get()
                        .getStatus()
                        .getFailed()));
  }

  @Test
  void shouldEndTheCommandWhenItsJobIsDeleted() {
    // Given
    run("echo $$$$; exec sleep 600", "127.0.0.1");
    var pid = await("pid").ignoreExceptions().until(() -> log().strip(), it -> !it.isEmpty());
    // When
    deleteJob();
    // Then
    await("pod gone").until(() -> pods().isEmpty());
    await("command ended").until(() -> ProcessHandle.of(Long.parseLong(pid)).isEmpty());
  }

  private void run(String command, String host) {
    shop.apply(
        new Yaml(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: load, namespace: %s}
            spec:
              backoffLimit: 0
              template:
                metadata:
                  annotations:
                    local.middleware.io/process: command
                    test.middleware.io/inject-target-host: %s
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: docker.io/library/redis:7.2
                    command: [sh, -c, '%s']
                    env:
                    - name: TARGET_HOST
                      valueFrom: {fieldRef: {fieldPath: "metadata.annotations['test.middleware.io/inject-target-host']"}}
                    terminationMessagePolicy: FallbackToLogsOnError
            """
                .formatted(shop.namespace, host, command)));
  }

  private ContainerStateTerminated awaitEnd(String phase) {
    await("pod " + phase)
        .until(
            () -> pods().stream().map(pod -> pod.getStatus().getPhase()).toList(),
            phases -> phases.equals(List.of(phase)));
    var status = pods().getFirst().getStatus();
    return status.getContainerStatuses().getFirst().getState().getTerminated();
  }

  private static void awaitSamples(
      LocalPrometheus prometheus, String query, Map<String, Double> byPod) {
    await(query)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(prometheus.query(query, "pod")).isEqualTo(byPod));
  }

  private List<Pod> pods() {
    return shop.client
        .pods()
        .inNamespace(shop.namespace)
        .withLabel("batch.kubernetes.io/job-name", "load")
        .list()
        .getItems();
  }

  private String address(String pod) {
    var found = shop.client.pods().inNamespace(shop.namespace).withName(pod).get();
    return found.getStatus().getPodIP();
  }

  /** What the command has printed. */
  private String log() throws IOException {
    var name = shop.namespace + "_" + pods().getFirst().getMetadata().getName() + ".log";
    return Files.readString(Path.of(Engine.variable("INSTANCE_DIR"), "pods", "log", name));
  }
}
