package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.proof.Proves;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How pods of the Redis Plugin end, without an agent that switches over before. */
@Proves(
    plugin = "redis",
    versions = "redis 7.0",
    what = "A primary hands over before its pod ends.")
@ParameterizedClass
@EnumSource(names = {"REDIS_7_0", "VALKEY_9_1"})
class RedisPreStopIT {
  private static final int SIZE = 3;

  @TempDir Path folder;
  private final List<LocalRedis> pods = new ArrayList<>();
  private final LocalRuntime runtime;

  RedisPreStopIT(LocalRuntime runtime) {
    this.runtime = runtime;
  }

  @BeforeEach
  void start() throws IOException {
    for (var i = 0; i < SIZE; i++) {
      pods.add(new LocalRedis(folder.resolve("pod-" + i), address(i)));
      pods.get(i).become(runtime);
      pods.get(i).start("no");
    }
    for (var i = 1; i < SIZE; i++) {
      pods.get(i).call("replicaof", address(0), "6379");
    }
    pods.get(0).fill(100);
    await()
        .atMost(LocalRedis.PATIENCE)
        .until(() -> pods.get(0).call("wait", "2", "1000").equals("2"));
    for (var pod : pods) { // a Valkey that loads its copy counts for WAIT already
      await().atMost(LocalRedis.PATIENCE).until(() -> pod.call("dbsize").equals("100"));
    }
  }

  @AfterEach
  void stop() {
    pods.forEach(LocalRedis::close);
  }

  @Test
  void shouldHandOverBeforeThePrimaryEnds() throws Exception {
    // When
    var code = pods.get(0).preStop();
    // Then
    assertThat(code).isZero();
    assertThat(role(0)).isEqualTo("slave");
    assertThat(primaries()).hasSize(1);
    assertThat(pods.get(primaries().getFirst()).size()).isEqualTo(100);
  }

  @Test
  void shouldDoNothingOnAReplicaNorOnAPrimaryAlone() throws Exception {
    // When
    assertThat(pods.get(1).preStop()).isZero();
    // Then
    assertThat(primaries()).containsExactly(0);
    // and alone
    pods.get(1).stop();
    pods.get(2).stop();
    assertThat(pods.get(0).preStop()).isZero();
    assertThat(pods.get(0).output()).doesNotContain("FAILOVER requested");
    assertThat(role(0)).isEqualTo("master");
  }

  @Test
  void shouldLetAWholeGroupEndWithoutAnyHandover() throws Exception {
    // When
    var ends = IntStream.range(0, SIZE).mapToObj(i -> CompletableFuture.runAsync(() -> end(i)));
    CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    // Then
    for (var pod : pods) {
      assertThat(pod.output()).doesNotContain("FAILOVER requested").contains("DB saved on disk");
    }
  }

  @Test
  void shouldEndAfterTheFirstLogIsComplete() throws Exception {
    // Given a Redis that refuses SIGTERM while it writes its first log
    var redis = pods.get(2);
    redis.call("config", "set", "rdb-key-save-delay", "60000"); // 6 s
    redis.call("config", "set", "appendonly", "yes");
    assertThat(redis.call("info", "persistence")).contains("aof_rewrite_in_progress:1");
    // When
    redis.preStop();
    redis.stop();
    // Then
    redis.start("yes");
    assertThat(redis.size()).isEqualTo(100);
    assertThat(redis.setAside("log")).isEmpty();
  }

  @Test
  void shouldChooseAReplicaThatStays() throws Exception {
    // When the first replica ends at the same time, and hangs in it
    var pid = pods.get(1).call("info", "server").replaceAll("(?s).*process_id:(\\d+).*", "$1");
    new ProcessBuilder("kill", "-STOP", pid).start().waitFor();
    var code = pods.get(0).preStop();
    // Then
    assertThat(code).isZero();
    assertThat(role(2)).isEqualTo("master");
    assertThat(role(0)).isEqualTo("slave");
  }

  @Test
  void shouldHandOverToNoReplicaThatEndsAsWell() throws Exception {
    // Given
    pods.get(1).preStop();
    // When
    var code = pods.get(0).preStop();
    // Then
    assertThat(code).isZero();
    assertThat(primaries()).containsExactly(2);
    // and when no other pod stays
    pods.get(0).preStop();
    assertThat(pods.get(2).preStop()).isZero();
    assertThat(primaries()).containsExactly(2);
  }

  @Test
  void shouldLeaveAPrimaryWhoseDataAreDurable() throws Exception {
    // Given a primary that the engine takes with all its replicas
    pods.get(0).call("config", "set", "min-replicas-to-write", "129800000");
    // When
    var code = pods.get(0).preStop();
    // Then
    assertThat(code).isZero();
    assertThat(primaries()).containsExactly(0);
  }

  @Test
  void shouldWaitUntilTheNewPrimaryIsMarked() throws Exception {
    // Given what the agents report
    for (var pod : pods) {
      pod.call("config", "set", "cluster-announce-hostname", "mark1.aa.1.FOLLOWING.b.1");
    }
    // When
    var hook = CompletableFuture.supplyAsync(() -> preStop(0));
    await().atMost(LocalRedis.PATIENCE).until(() -> role(0).equals("slave"));
    // Then
    Thread.sleep(4000); // longer than it waits for the other replicas
    assertThat(hook).isNotDone();
    // and when the agent has seen that its pod is the primary now
    var primary = pods.get(primaries().getFirst());
    var id = primary.call("info", "replication").replaceAll("(?s).*master_replid:(\\w+).*", "$1");
    primary.call("config", "set", "cluster-announce-hostname", "mark1.aa.2.PRIMARY." + id + ".9");
    assertThat(hook.get(LocalRedis.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
  }

  @Test
  void shouldSayWhenNobodyHasTakenOver() throws Exception {
    // Given
    for (var i = 1; i < SIZE; i++) {
      var pid = pods.get(i).call("info", "server").replaceAll("(?s).*process_id:(\\d+).*", "$1");
      new ProcessBuilder("kill", "-STOP", pid).start().waitFor();
    }
    // When
    var code = pods.get(0).preStop();
    // Then
    assertThat(code).isEqualTo(1);
    assertThat(pods.get(0).output()).contains("no replica of " + address(0) + " has taken over");
    assertThat(role(0)).isEqualTo("master");
  }

  private void end(int number) {
    try {
      pods.get(number).preStop();
      pods.get(number).stop();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("end pod " + number, e);
    }
  }

  private int preStop(int number) {
    try {
      return pods.get(number).preStop();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("run the hook of pod " + number, e);
    }
  }

  private List<Integer> primaries() throws IOException {
    List<Integer> primaries = new ArrayList<>();
    for (var i = 0; i < SIZE; i++) {
      if (role(i).equals("master")) {
        primaries.add(i);
      }
    }
    return primaries;
  }

  private String role(int number) throws IOException {
    return pods.get(number).call("role").lines().findFirst().orElse("");
  }

  private static String address(int number) {
    return LocalRedis.address(3, number + 1);
  }
}
