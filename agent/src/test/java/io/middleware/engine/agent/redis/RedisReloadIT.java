package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reloads that decide which file a real Redis loads at its next start. */
class RedisReloadIT {
  private static final int KEYS = 50_000;

  @TempDir private Path folder;
  private RealGroup group;

  @BeforeEach
  void start() throws IOException {
    group = new RealGroup(folder, Optional.empty());
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void shouldEndWhenTheFirstLogIsComplete() throws Exception {
    // Given
    fill(KEYS);
    takeAboutASecond();
    // When
    var inForce = reload(Map.of("appendonly", "yes"));
    group.processes.get(0).kill();
    // Then
    assertThat(inForce).isEqualTo(Map.of("appendonly", "yes"));
    assertThat(Files.readString(own("appendonlydir/appendonly.aof.manifest"))).contains("type b");
  }

  @Test
  void shouldHaveASnapshotWhenRedisDiesBeforeItsFirstLogIsComplete() throws IOException {
    // Given
    fill(KEYS);
    takeAboutASecond();
    // When
    assertThatThrownBy(
            () ->
                group
                    .drivers
                    .get(0)
                    .reload(
                        Map.of("appendonly", "yes"),
                        (message, percent) -> {
                          if (message.contains("its log")) {
                            group.processes.get(0).kill();
                          }
                        }))
        .hasMessageContaining("UNAVAILABLE");
    // Then
    assertThat(own("appendonlydir/appendonly.aof.manifest")).doesNotExist();
    assertThat(Files.size(own("dump.rdb"))).isGreaterThan(KEYS);
  }

  @Test
  void shouldLeaveTheLogOffWhenItCannotBeWritten() throws Exception {
    // Given
    fill(KEYS);
    Files.createDirectories(own("appendonlydir/appendonly.aof.1.base.rdb/in-the-way"));
    // When
    assertThatThrownBy(() -> reload(Map.of("appendonly", "yes", "timeout", "7")))
        .hasMessageContaining("FAILED_PRECONDITION")
        .hasMessageContaining("the Redis of db-0 cannot write its log, so appendonly stays no");
    // Then
    assertThat(inForce("appendonly", "timeout")).containsOnly("no", "0");
  }

  @Test
  void shouldLetTheStartOfTheContainerChangeNothingAfterwards() throws Exception {
    // Given a start that is about to turn the log off
    var planned = own(".appendonly.off-planned");
    Files.createFile(planned);
    group.redis(0).configSet("appendonly", "yes");
    // When
    var inForce = reload(Map.of("appendonly", "yes"));
    // Then
    assertThat(inForce).isEqualTo(Map.of("appendonly", "yes"));
    assertThat(planned).doesNotExist();
  }

  @Test
  void shouldWaitForTheStartOfTheContainer() throws Exception {
    // Given a start that has begun to turn the log off
    var begun = own(".appendonly.off-begun");
    Files.createFile(begun);
    group.redis(0).configSet("appendonly", "yes");
    List<String> messages = new CopyOnWriteArrayList<>();
    // When
    group
        .drivers
        .get(0)
        .reload(
            Map.of("appendonly", "yes"),
            (message, percent) -> {
              if (messages.isEmpty()) {
                group.redis(0).configSet("appendonly", "no");
                delete(begun);
              }
              messages.add(message);
            });
    // Then
    assertThat(messages).first().asString().contains("from its log to a snapshot");
    assertThat(inForce("appendonly")).containsOnly("yes");
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldLeaveTheLogOffWhenItIsInterrupted() {
    // Given
    fill(KEYS);
    takeAboutASecond();
    // When
    assertThatThrownBy(
            () ->
                group
                    .drivers
                    .get(0)
                    .reload(
                        Map.of("appendonly", "yes", "timeout", "7"),
                        (message, percent) -> {
                          if (message.contains("its log")) {
                            Thread.currentThread().interrupt();
                          }
                        }))
        .isInstanceOf(InterruptedException.class);
    // Then
    assertThat(inForce("appendonly", "timeout")).containsOnly("no", "0");
  }

  @Test
  void shouldHaveASnapshotThatIsNewerThanTheLogWhenTheLogEnds() throws Exception {
    // Given
    reload(Map.of("appendonly", "yes"));
    fill(10);
    // When
    var inForce = reload(Map.of("appendonly", "no"));
    // Then
    assertThat(inForce).isEqualTo(Map.of("appendonly", "no"));
    var log = Files.getLastModifiedTime(own("appendonlydir/appendonly.aof.1.incr.aof"));
    assertThat(Files.getLastModifiedTime(own("dump.rdb")).toMillis() - log.toMillis())
        .isGreaterThan(2000);
  }

  @Test
  void shouldKeepTheLogWhenNoSnapshotCanBeWritten() throws Exception {
    // Given
    reload(Map.of("appendonly", "yes"));
    blockSnapshots();
    // When
    assertThatThrownBy(() -> reload(Map.of("appendonly", "no")))
        .hasMessageContaining("FAILED_PRECONDITION")
        .hasMessageContaining("cannot write a snapshot, so appendonly stays yes");
    // Then
    assertThat(inForce("appendonly")).containsOnly("yes");
  }

  private Map<String, String> reload(Map<String, String> desired) throws InterruptedException {
    return group.drivers.get(0).reload(desired, (message, percent) -> {});
  }

  private List<String> inForce(String... names) {
    return new ArrayList<>(group.redis(0).configGet(names).values());
  }

  private void fill(int keys) {
    group
        .redis(0)
        .eval(
            "for i = 1, %d do redis.call('SET', 'key:' .. i, i) end".formatted(keys),
            ScriptOutputType.STATUS);
  }

  /** Redis cannot replace a folder. */
  private void blockSnapshots() throws IOException {
    Files.deleteIfExists(own("dump.rdb"));
    Files.createDirectories(own("dump.rdb/in-the-way"));
  }

  /** To write all keys. */
  private void takeAboutASecond() {
    group.redis(0).configSet("rdb-key-save-delay", "20");
  }

  private Path own(String file) {
    return folder.resolve("db-0").resolve(file);
  }
}
