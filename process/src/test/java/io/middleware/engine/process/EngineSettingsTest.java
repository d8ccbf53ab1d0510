package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.process.settings.ListenAddress;
import io.middleware.engine.process.settings.ProcessArguments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineSettingsTest {
  private static final String EVERY_KEY =
      """
      namespaces: [shop, "123"]
      cluster: west
      systemNamespace: mw
      defaultServiceAccount: app-writer
      manualRetry: false
      manualCancel: false
      stopTimeout: 5s
      keptSpecs: 3
      temporal: {address: "temporal:7234", namespace: other, profile: prod}
      kubernetes: {apiTimeout: 20s, apiCalls: 4}
      tasks: {maxRetries: 5, retryBackoff: 500ms, timeout: 1h30m}
      rolling: {batchSize: 2, interval: 10s}
      agent: {timeout: 2s, attempts: 4, patience: 1m, maxReplyBytes: 1024}
      checks: {hosts: [verify.example.com, "10.0.0.1:8443"], prometheusUrl: "http://prometheus:9090/main"}
      watcher: {httpAddress: "127.0.0.1:0", resync: 30s, leaderElection: false, leaseDuration: 1m}
      worker:
        httpAddress: "[::]:9090"
        changes: 2
        workflowTasks: 3
        activities: 4
        waits: 5
        orders: 9
        tests: 8
        checks: 10
        pollers: 6
        workflowCache: 7
        pluginCache: 8m
        deployment: mw/engine
        buildId: v1.2
      log: {level: DEBUG, libraries: ERROR}
      """;

  @TempDir Path folder;

  @Test
  void shouldHaveADefaultForEveryKey() {
    // When
    var settings = EngineSettings.read(new ProcessArguments(List.of(), Map.of("HOME", "/")));
    // Then
    assertThat(settings)
        .isEqualTo(
            new EngineSettings(
                List.of(),
                "",
                "middleware-system",
                "",
                true,
                true,
                Duration.ofSeconds(20),
                10,
                new EngineSettings.TemporalSettings("", "", ""),
                new EngineSettings.KubernetesSettings(Duration.ofSeconds(10), 8),
                new EngineSettings.TaskDefaults(3, Duration.ofSeconds(1), Duration.ofMinutes(5)),
                new EngineSettings.RollingDefaults(1, Duration.ZERO),
                new EngineSettings.AgentCallSettings(
                    Duration.ofSeconds(5), 3, Duration.ofSeconds(15), 262144),
                new CheckSettings(List.of(), ""),
                new EngineSettings.WatcherSettings(
                    new ListenAddress("0.0.0.0", 8080),
                    Duration.ofMinutes(1),
                    true,
                    Duration.ofSeconds(15)),
                defaultWorker(),
                new EngineSettings.LogSettings(
                    EngineSettings.LogLevel.INFO, EngineSettings.LogLevel.WARN)));
  }

  private static EngineSettings.WorkerSettings defaultWorker() {
    return new EngineSettings.WorkerSettings(
        new ListenAddress("0.0.0.0", 8080),
        16,
        200,
        100,
        1000,
        200,
        200,
        1000,
        5,
        600,
        Duration.ofMinutes(10),
        "",
        "");
  }

  private static EngineSettings.WorkerSettings workerOfTheFile() {
    return new EngineSettings.WorkerSettings(
        new ListenAddress("[::]", 9090),
        2,
        3,
        4,
        5,
        9,
        8,
        10,
        6,
        7,
        Duration.ofMinutes(8),
        "mw/engine",
        "v1.2");
  }

  @Test
  void shouldReadEveryKeyOfTheFile() throws Exception {
    // Given
    Path file = Files.writeString(folder.resolve("engine.yaml"), EVERY_KEY);
    // When
    var settings =
        EngineSettings.read(new ProcessArguments(List.of("--config", file.toString()), Map.of()));
    // Then
    assertThat(settings)
        .isEqualTo(
            new EngineSettings(
                List.of("shop", "123"),
                "west",
                "mw",
                "app-writer",
                false,
                false,
                Duration.ofSeconds(5),
                3,
                new EngineSettings.TemporalSettings("temporal:7234", "other", "prod"),
                new EngineSettings.KubernetesSettings(Duration.ofSeconds(20), 4),
                new EngineSettings.TaskDefaults(5, Duration.ofMillis(500), Duration.ofMinutes(90)),
                new EngineSettings.RollingDefaults(2, Duration.ofSeconds(10)),
                new EngineSettings.AgentCallSettings(
                    Duration.ofSeconds(2), 4, Duration.ofMinutes(1), 1024),
                new CheckSettings(
                    List.of("verify.example.com", "10.0.0.1:8443"), "http://prometheus:9090/main"),
                new EngineSettings.WatcherSettings(
                    new ListenAddress("127.0.0.1", 0),
                    Duration.ofSeconds(30),
                    false,
                    Duration.ofMinutes(1)),
                workerOfTheFile(),
                new EngineSettings.LogSettings(
                    EngineSettings.LogLevel.DEBUG, EngineSettings.LogLevel.ERROR)));
  }
}
