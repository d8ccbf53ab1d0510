package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.proof.Proves;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the alerts and the dashboard of Redis ask for, the real exporter says of real servers. */
@Proves(
    plugin = "redis",
    versions = {"redis 7.0", "valkey 9.0", "valkey 9.1"},
    what = "The exporter has what alerts and dashboard ask for.")
class RedisMetricsIT {
  private static final String PRIMARY = LocalRedis.address(5, 1);
  private static final String REPLICA = LocalRedis.address(5, 2);
  private static final String MONITOR = "sentinel monitor cache %s 6379 1".formatted(PRIMARY);

  @TempDir Path folder;
  private final List<AutoCloseable> running = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (var one : running) {
      one.close();
    }
  }

  @ParameterizedTest
  @EnumSource(LocalRuntime.class)
  void shouldAskForWhatTheExporterSays(LocalRuntime runtime) throws Exception {
    // Given
    var exporter = LocalExporter.start(LocalRedis.address(5, 3));
    running.add(exporter);
    redis(runtime, PRIMARY);
    redis(runtime, REPLICA).call("replicaof", PRIMARY, "6379");
    sentinel(runtime);
    var files = MonitoringFiles.of("redis");
    // Then
    await()
        .atMost(LocalRedis.PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class) // it has just been started
        .untilAsserted(
            () ->
                files.assertAskForWhatIsIn(
                    exporter.scrape(PRIMARY, 6379)
                        + exporter.scrape(REPLICA, 6379)
                        + exporter.scrape(PRIMARY, 26379)));
  }

  @Test
  void shouldAskARedisThatWantsAPassword() throws Exception {
    // Given
    var exporter =
        LocalExporter.start(
            LocalRedis.address(5, 3), Map.of("REDIS_USER", "default", "REDIS_PASSWORD", "s3cret"));
    running.add(exporter);
    // When
    redis(LocalRuntime.REDIS_7_0, PRIMARY).call("config", "set", "requirepass", "s3cret");
    // Then
    await()
        .atMost(LocalRedis.PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(exporter.scrape(PRIMARY, 6379)).contains("redis_up 1"));
  }

  @Test
  void shouldSayForEachAlertWhatToDo() throws IOException {
    MonitoringFiles.of("redis").assertHaveARunbook();
  }

  private LocalRedis redis(LocalRuntime runtime, String address) throws IOException {
    var redis = new LocalRedis(folder.resolve(address), address);
    running.add(redis);
    redis.become(runtime);
    redis.start("no");
    return redis;
  }

  private void sentinel(LocalRuntime runtime) throws IOException {
    var settings = folder.resolve("sentinel.conf");
    Files.write(settings, List.of("port 26379", "bind " + PRIMARY, MONITOR));
    var builder =
        new ProcessBuilder("env", runtime.runtime() + "-server", settings.toString(), "--sentinel")
            .redirectOutput(Redirect.DISCARD);
    builder.environment().put("PATH", runtime.searchPath());
    var process = builder.start();
    running.add(() -> process.destroyForcibly().onExit().join());
  }
}
