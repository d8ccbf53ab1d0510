package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.lettuce.core.ScriptOutputType;
import io.middleware.engine.agent.driver.ProgressSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three real Redis servers, of which db-0 is the primary. */
class RedisPersistenceIT {
  private static final ProgressSink UNHEARD = (message, percent) -> {};

  /** So that a snapshot takes seconds, in microseconds. */
  private static final String SLOW = "100000";

  @TempDir private Path folder;
  private RealGroup group;

  @BeforeEach
  void start() throws IOException {
    group = new RealGroup(folder);
    for (var key = 0; key < 20; key++) {
      group.redis(0).set("key-" + key, "value");
    }
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void shouldKeepAllOfAProcessThatIsKilledAfterwards() throws Exception {
    // Given a snapshot that is being made and lacks the last key
    group.redis(0).configSet("rdb-key-save-delay", SLOW);
    group.redis(0).bgsave();
    group.redis(0).set("last", "value");
    // When
    group.drivers.get(0).persist(true, UNHEARD);
    // Then
    var processes = group.processes;
    processes.get(0).kill();
    processes.get(1).kill();
    processes.get(2).kill();
    processes.get(0).start();
    await()
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(group.redis(0).dbsize()).isEqualTo(21));
  }

  @Test
  void shouldAcknowledgeNothingUntilTheProcessEndsOrGoesOn() throws Exception {
    // When
    group.drivers.get(0).persist(true, UNHEARD);
    // Then
    var redis = group.redis(0);
    assertThatThrownBy(() -> redis.set("late", "value")).hasMessageStartingWith("NOREPLICAS");
    assertThatThrownBy(() -> redis.eval("redis.call('del', 'key-1')", ScriptOutputType.STATUS))
        .hasMessageStartingWith("NOREPLICAS");
    assertThat(redis.get("key-1")).isEqualTo("value");
    assertThat(group.drivers.get(0).trouble()).isEmpty();
    // and when it is not ended after all
    group.drivers.get(0).resume();
    assertThat(redis.set("late", "value")).isEqualTo("OK");
    group.drivers.get(0).resume();
  }

  @Test
  void shouldTakeWritesAgainAsBeforeWhenItsAgentHasDied() {
    // Given
    group.redis(0).configSet("min-replicas-to-write", "2");
    // When nobody prolongs what began a while ago
    var past = Instant.now().minusSeconds(120);
    new WriteFence(group.drivers.get(0).group().self(), () -> past).raise(Duration.ofSeconds(30));
    // Then
    await()
        .untilAsserted(
            () -> assertThat(group.redis(0).configGet("min-replicas-to-write")).containsValue("2"));
    assertThat(group.redis(0).set("later", "value")).isEqualTo("OK");
  }

  @Test
  void shouldNotCallDurableWhatItTookMeanwhile() throws Exception {
    // Given
    group.redis(0).configSet("rdb-key-save-delay", SLOW);
    var step =
        CompletableFuture.runAsync(
            () -> {
              try {
                group.drivers.get(0).persist(true, UNHEARD);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    await().until(() -> group.redis(0).info("persistence").contains("rdb_bgsave_in_progress:1"));
    // When a person lets it take writes
    group.redis(0).configSet("min-replicas-to-write", "0");
    // Then
    assertThatThrownBy(step::join)
        .hasMessageContaining("took writes while it made its data durable");
  }

  @Test
  void shouldLetWritesGoOnWhenItIsCancelled() throws Exception {
    // Given
    group.redis(0).configSet("rdb-key-save-delay", SLOW);
    var step =
        Thread.startVirtualThread(
            () -> {
              try {
                group.drivers.get(0).persist(true, UNHEARD);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    await().until(() -> group.redis(0).info("persistence").contains("rdb_bgsave_in_progress:1"));
    assertThatThrownBy(() -> group.redis(0).set("late", "value"))
        .hasMessageStartingWith("NOREPLICAS");
    // When
    step.interrupt();
    step.join();
    // Then
    assertThat(group.redis(0).set("late", "value")).isEqualTo("OK");
  }

  @Test
  void shouldRefuseWhatCannotBeWritten() throws IOException {
    // Given
    var inTheWay = folder.resolve("db-0").resolve("dump.rdb");
    Files.deleteIfExists(inTheWay);
    Files.createDirectory(inTheWay);
    // When Then
    assertThatThrownBy(() -> group.drivers.get(0).persist(true, UNHEARD))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION))
        .hasMessageContaining("cannot write its snapshot; its log has the reason");
    // and it takes writes again once it can
    Files.delete(inTheWay);
    group.redis(0).save();
    assertThat(group.redis(0).set("later", "value")).isEqualTo("OK");
  }

  @Test
  void shouldWaitForTheFirstAppendOnlyFiles() throws Exception {
    // Given
    group.redis(0).configSet("rdb-key-save-delay", SLOW);
    group.redis(0).configSet("appendonly", "yes");
    // When
    group.drivers.get(0).persist(true, UNHEARD);
    // Then
    assertThat(group.redis(0).info("persistence"))
        .contains("aof_rewrite_in_progress:0", "aof_last_bgrewrite_status:ok");
    try (var files = Files.list(folder.resolve("db-0").resolve("appendonlydir"))) {
      assertThat(files).anyMatch(file -> file.toString().endsWith(".base.rdb"));
    }
  }

  @Test
  void shouldPauseNoReplica() throws Exception {
    // When
    group.drivers.get(1).persist(true, UNHEARD);
    // Then
    group.redis(0).set("later", "value");
    await().untilAsserted(() -> assertThat(group.redis(1).get("later")).isEqualTo("value"));
    assertThat(folder.resolve("db-1").resolve("dump.rdb")).exists();
  }

  @Test
  void shouldHaveNothingToDoForAProcessThatDoesNotRun() throws Exception {
    // Given
    group.processes.get(0).stop();
    // When
    group.drivers.get(0).persist(true, UNHEARD);
  }

  @Test
  void shouldWriteNothingForAUserWhoKeepsNoData() throws Exception {
    // Given
    Files.deleteIfExists(folder.resolve("db-0").resolve("dump.rdb"));
    group.redis(0).configSet("save", "");
    // When
    group.drivers.get(0).persist(false, UNHEARD);
    // Then
    assertThat(folder.resolve("db-0").resolve("dump.rdb")).doesNotExist();
  }
}
