package io.middleware.engine.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs real processes. */
class ProcessTreeTest {
  private static final int TERMINATED = 143;
  private static final int KILLED = 137;

  @TempDir Path work;

  @Test
  void shouldTerminateAProcessThatObeys() throws Exception {
    var process = start("touch %s; exec sleep 3600".formatted(ready()));

    assertThat(
            new ProcessTree(process.toHandle(), "one", Orphans.none()).end(Duration.ofMinutes(1)))
        .isTrue();

    assertThat(process.waitFor()).isEqualTo(TERMINATED);
  }

  @Test
  void shouldKillAProcessThatIgnoresItsTermination() throws Exception {
    var process = start("trap '' TERM; touch %s; sleep 3600; sleep 3600".formatted(ready()));

    assertThat(
            new ProcessTree(process.toHandle(), "one", Orphans.none()).end(Duration.ofMillis(200)))
        .isTrue();

    assertThat(process.waitFor()).isEqualTo(KILLED);
  }

  @Test
  void shouldFinishAlthoughItIsInterrupted() throws Exception {
    // Given
    var process = start("trap '' TERM; touch %s; sleep 3600; sleep 3600".formatted(ready()));
    Thread.currentThread().interrupt();
    // When
    var gone =
        new ProcessTree(process.toHandle(), "one", Orphans.none()).end(Duration.ofMillis(200));
    // Then
    assertThat(Thread.interrupted()).isTrue();
    assertThat(gone).isTrue();
    assertThat(process.waitFor()).isEqualTo(KILLED);
  }

  @Test
  void shouldLeaveOtherProcessesAlone() throws Exception {
    var other = start("touch %s; exec sleep 3600".formatted(ready()));
    var own = new ProcessBuilder("sleep", "3600");
    own.environment().put(ProcessTree.MARK, "on");

    new ProcessTree(own.start().toHandle(), "on", Orphans.none()).end(Duration.ZERO);

    assertThat(other.isAlive()).isTrue();
    other.destroyForcibly();
  }

  /** Returns when the script has written its file. */
  private Process start(String script) throws IOException {
    var builder = new ProcessBuilder("sh", "-c", script);
    builder.environment().put(ProcessTree.MARK, "one");
    var process = builder.start();
    await().until(() -> Files.exists(ready()));
    return process;
  }

  private Path ready() {
    return work.resolve("ready");
  }
}
