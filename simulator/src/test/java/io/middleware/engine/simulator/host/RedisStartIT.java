package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.proof.Proves;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which data the container of the Redis Plugin begins with, after whatever has happened before. */
@Proves(
    plugin = "redis",
    versions = "redis 7.0",
    what = "A start loads the newest of snapshot and log, also after kills.")
@ParameterizedClass
@EnumSource(names = {"REDIS_7_0", "VALKEY_9_1"})
class RedisStartIT {
  private static final Duration MORE_THAN_THE_MARGIN = Duration.ofSeconds(4);

  @TempDir Path folder;
  private final LocalRuntime runtime;
  private LocalRedis redis;

  RedisStartIT(LocalRuntime runtime) {
    this.runtime = runtime;
  }

  @BeforeEach
  void prepare() throws IOException {
    redis = new LocalRedis(folder, LocalRedis.address(2, 1));
    redis.become(runtime);
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  @Test
  void shouldKeepTheSnapshotWhenTheLogIsTurnedOnBeforeTheStart() throws Exception {
    // Given
    redis.start("no");
    redis.fill(500);
    redis.stop();
    // When
    redis.start("yes");
    // Then
    assertThat(redis.size()).isEqualTo(500);
    assertThat(redis.data().resolve(".log-base")).isNotEmptyFile();
    // and the log has it from the first moment
    redis.fill(501);
    redis.kill();
    redis.start("yes");
    assertThat(redis.size()).isEqualTo(501);
  }

  @Test
  void shouldPreferTheNewerSnapshotToAnOldLog() throws Exception {
    // Given
    redis.start("yes");
    redis.fill(100);
    redis.call("config", "set", "appendonly", "no");
    Thread.sleep(MORE_THAN_THE_MARGIN);
    redis.fill(500);
    redis.stop();
    // When
    redis.start("yes");
    // Then
    assertThat(redis.size()).isEqualTo(500);
    assertThat(redis.setAside("log")).hasSize(1);
    assertThat(redis.output())
        .contains("the newest of the data")
        .contains("the older log is kept as set-aside-log-");
  }

  @Test
  void shouldPreferTheNewerLogToAnOldSnapshotAndThenTurnItOff() throws Exception {
    // Given a power cut
    redis.start("yes");
    redis.fill(100);
    redis.call("save");
    Thread.sleep(MORE_THAN_THE_MARGIN);
    redis.fill(500);
    redis.kill();
    // When
    redis.start("no");
    // Then
    assertThat(redis.size()).isEqualTo(500);
    assertThat(redis.setAside("snapshot")).hasSize(1);
    await()
        .atMost(LocalRedis.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(redis.call("config", "get", "appendonly")).isEqualTo("appendonly\nno"));
    await()
        .atMost(LocalRedis.PATIENCE)
        .untilAsserted(() -> assertThat(redis.call("info", "persistence")).contains("saves:2"));
    redis.fill(501);
    redis.stop();
    redis.start("no");
    assertThat(redis.size()).isEqualTo(501);
    assertThat(redis.setAside("log")).hasSize(1);
  }

  @Test
  void shouldLeaveTheLogOnWhenTheAgentTakesOver() throws Exception {
    // Given a start with a log although appendonly is no
    redis.start("yes");
    redis.fill(100);
    redis.kill();
    redis.start("no");
    // When the agent reloads appendonly before its file of the configuration has changed
    Files.delete(redis.data().resolve(".appendonly.off-planned"));
    // Then
    Thread.sleep(Duration.ofSeconds(8));
    assertThat(redis.call("config", "get", "appendonly")).isEqualTo("appendonly\nyes");
    assertThat(redis.data().resolve(".appendonly.off-begun")).doesNotExist();
  }

  @Test
  void shouldSurviveAKillAtEachMomentOfTurningTheLogOff() throws Exception {
    // Given
    redis.start("yes");
    redis.fill(100);
    redis.kill();
    for (var millis = 0; millis < 6000; millis += 700) {
      // When
      redis.start("no");
      Thread.sleep(millis);
      redis.kill();
    }
    // Then
    redis.start("no");
    assertThat(redis.size()).isEqualTo(100);
    await()
        .atMost(LocalRedis.PATIENCE)
        .untilAsserted(
            () -> assertThat(redis.data().resolve(".appendonly.off-planned")).doesNotExist());
  }

  @Test
  void shouldLoadTheLogThatASnapshotWouldOnlySeemToBeNewerThan() throws Exception {
    // Given a snapshot that begins before the last write, and ends after it
    redis.start("yes");
    redis.fill(100);
    redis.call("save");
    Thread.sleep(Duration.ofMillis(1100));
    redis.fill(500);
    redis.kill();
    setTime("dump.rdb", lastWriteToTheLog().plusMillis(500));
    // When
    redis.start("yes");
    // Then
    assertThat(redis.size()).isEqualTo(500);
    assertThat(redis.setAside("log")).isEmpty();
  }

  @Test
  void shouldLoadTheLogWhenTheSnapshotIsFromTheFuture() throws Exception {
    // Given a clock that was ahead for a while
    redis.start("yes");
    redis.fill(100);
    redis.call("save");
    setTime("dump.rdb", Instant.now().plusSeconds(3600));
    redis.fill(500);
    redis.kill();
    // When
    redis.start("yes");
    // Then
    assertThat(redis.size()).isEqualTo(500);
    assertThat(redis.output()).contains("cannot tell which");
  }

  @Test
  void shouldKeepTheSnapshotWhenRedisDiesInTheFirstRewriteOfItsLog() throws Exception {
    // Given
    redis.start("no");
    redis.fill(200_000);
    redis.call("save");
    // When
    redis.call("config", "set", "appendonly", "yes");
    redis.kill();
    redis.start("yes");
    // Then
    assertThat(redis.size()).isEqualTo(200_000);
  }

  @Test
  void shouldLoadTheSnapshotWhenTheManifestIsBroken() throws Exception {
    // Given
    redis.start("yes");
    redis.fill(500);
    redis.stop();
    Files.writeString(redis.manifest(), "");
    // When
    redis.start("yes");
    // Then
    assertThat(redis.size()).isEqualTo(500);
    assertThat(redis.setAside("log")).hasSize(1);
  }

  @Test
  void shouldNotStartWithOlderDataWhenTheManifestIsBroken() throws Exception {
    // Given
    redis.start("yes");
    redis.fill(100);
    redis.call("save");
    Thread.sleep(MORE_THAN_THE_MARGIN);
    redis.fill(500);
    redis.kill();
    Files.writeString(redis.manifest(), "file appendonly.aof.1.base.rdb");
    // When
    var code = redis.startInVain("no");
    // Then
    assertThat(code).isEqualTo(1);
    assertThat(redis.output()).contains("cannot load the log").contains("Rebuild");
    assertThat(redis.setAside("log")).isEmpty();
    assertThat(redis.setAside("snapshot")).isEmpty();
  }

  @Test
  void shouldKnowAnotherNameOfTheSnapshot() throws Exception {
    // Given
    redis.start("no", "dbfilename my-data.rdb");
    redis.fill(50);
    redis.stop();
    // When
    redis.start("yes", "dbfilename my-data.rdb");
    // Then
    assertThat(redis.size()).isEqualTo(50);
  }

  @Test
  void shouldLoadALogThatARestoreHasMade() throws Exception {
    // Given only a base, as the init container leaves it
    redis.start("no");
    redis.fill(50);
    redis.stop();
    Files.createDirectories(redis.manifest().getParent());
    Files.move(
        redis.data().resolve("dump.rdb"),
        redis.manifest().resolveSibling("appendonly.aof.1.base.rdb"));
    Files.writeString(redis.manifest(), "file appendonly.aof.1.base.rdb seq 1 type b\n");
    // When
    redis.start("yes");
    // Then
    assertThat(redis.size()).isEqualTo(50);
    assertThat(redis.setAside("log")).isEmpty();
  }

  @Test
  void shouldFinishAStartThatWasInterrupted() throws Exception {
    // Given a base of the log that was not complete yet
    redis.start("no");
    redis.fill(50);
    redis.stop();
    Files.createDirectories(redis.data().resolve(".appendonly.unfinished/cut"));
    // When
    redis.start("yes");
    // Then
    assertThat(redis.size()).isEqualTo(50);
  }

  @Test
  void shouldKeepNoSecondLogAsideAfterAPlannedRestart() throws Exception {
    // Given
    redis.start("yes");
    redis.fill(50);
    Thread.sleep(MORE_THAN_THE_MARGIN);
    // When
    redis.preStop();
    redis.stop();
    redis.start("yes");
    // Then
    assertThat(redis.size()).isEqualTo(50);
    assertThat(redis.setAside("log")).isEmpty();
  }

  @Test
  void shouldRemoveWhatAKilledRedisHasLeftUnfinished() throws Exception {
    // Given files of saves, of a copy from a primary and of rewrites that were killed
    var unfinished =
        List.of(
            "temp-17.rdb",
            "temp-1790000000.1.rdb",
            "temp-rewriteaof-9.aof",
            "temp-rewriteaof-bg-9.aof");
    redis.start("no", "dbfilename temp-1.rdb");
    redis.fill(50);
    redis.stop();
    for (var file : unfinished) {
      Files.writeString(redis.data().resolve(file), "half of it");
    }
    Files.writeString(redis.data().resolve("temp-of-a-person.rdb"), "kept");
    // When
    redis.start("no", "dbfilename temp-1.rdb");
    // Then
    assertThat(unfinished)
        .allSatisfy(file -> assertThat(redis.data().resolve(file)).doesNotExist());
    assertThat(redis.data().resolve("temp-of-a-person.rdb")).exists();
    assertThat(redis.size()).isEqualTo(50);
  }

  @Test
  void shouldStartEmptyInAnEmptyFolder() throws Exception {
    for (var mode : List.of("yes", "no")) {
      redis.start(mode);
      assertThat(redis.size()).isZero();
      redis.stop();
    }
  }

  private void setTime(String file, Instant time) throws IOException {
    Files.setLastModifiedTime(redis.data().resolve(file), FileTime.from(time));
  }

  private Instant lastWriteToTheLog() throws IOException {
    var last = Instant.EPOCH;
    try (var files = Files.list(redis.manifest().getParent())) {
      for (var file : files.toList()) {
        var written = Files.getLastModifiedTime(file).toInstant();
        last = written.isAfter(last) ? written : last;
      }
    }
    return last;
  }
}
