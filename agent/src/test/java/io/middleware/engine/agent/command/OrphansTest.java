package io.middleware.engine.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.agent.driver.ActionRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A daemon that has left its session and cleared its environment. The action runs in a process of
 * its own that adopts orphans, as the first one of a container does.
 */
class OrphansTest {
  /** Forks twice, so that its parent ends; then it is nobody's descendant. */
  static final String DAEMON =
      "env -i setsid sh -c 'trap \"\" TERM; (sleep 3600; sleep 3600) & echo $! > %1$s.new;"
          + " mv %1$s.new %1$s' & until test -e %1$s; do sleep 0.1; done";

  private static final String SUBREAPER =
      "import ctypes, os, sys; ctypes.CDLL(None).prctl(36, 1); os.execv(sys.argv[1], sys.argv[1:])";

  @TempDir Path work;

  @AfterEach
  void killWhatIsLeft() throws IOException {
    for (var file : List.of("daemon", "other")) {
      if (Files.exists(work.resolve(file))) {
        process(file).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  @Test
  void shouldEndADaemonThatCannotBeTold() throws Exception {
    // When
    var action = start("Alone");
    assertThat(action.waitFor()).as(said(action)).isZero();
    // Then
    assertThat(pid("daemon")).isPositive();
    assertThat(isAlive("daemon")).isFalse();
  }

  @Test
  void shouldLeaveTheProcessesOfAnActionThatRunsBesideIt() throws Exception {
    // When
    var actions = start("Beside");
    await().until(() -> Files.exists(work.resolve("first-ended")));
    // Then
    assertThat(isAlive("other")).isTrue();
    Files.createFile(work.resolve("end"));
    assertThat(actions.waitFor()).as(said(actions)).isZero();
    assertThat(isAlive("other")).isFalse();
    assertThat(isAlive("daemon")).isFalse();
  }

  /** Runs actions in a process that adopts. */
  public static final class Main {
    private static final Orphans ORPHANS = Orphans.adopted();

    private Main() {}

    public static void main(String[] args) throws Exception {
      var work = Path.of(args[1]);
      var daemon = DAEMON.formatted(work.resolve("daemon"));
      if (args[0].equals("Alone")) {
        run(daemon);
        return;
      }
      var end = work.resolve("end");
      var other = work.resolve("other");
      var beside =
          Thread.ofPlatform()
              .start(
                  () ->
                      run(
                          DAEMON.formatted(other)
                              + "; until test -e %s; do sleep 0.1; done".formatted(end)));
      while (!Files.exists(other)) {
        Thread.sleep(50);
      }
      run(daemon);
      Files.createFile(work.resolve("first-ended"));
      beside.join();
    }

    private static void run(String script) {
      var request = new ActionRequest("a", Map.of(), Duration.ZERO, Duration.ofMillis(200));
      try {
        CommandRun.start(request, List.of("sh", "-c", script), CommandPlace.here(ORPHANS))
            .await((text, percent) -> {});
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Process start(String story) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            "python3",
            "-c",
            SUBREAPER,
            java,
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            story,
            work.toString())
        .redirectErrorStream(true)
        .redirectOutput(work.resolve("said").toFile())
        .start();
  }

  private String said(Process action) throws IOException {
    return Files.readString(work.resolve("said"), StandardCharsets.UTF_8) + action;
  }

  private boolean isAlive(String file) throws IOException {
    var stat = Path.of("/proc", String.valueOf(pid(file)), "stat");
    return Files.exists(stat) && !Files.readString(stat).contains(") Z ");
  }

  private Optional<ProcessHandle> process(String file) throws IOException {
    return ProcessHandle.of(pid(file));
  }

  private long pid(String file) throws IOException {
    return Long.parseLong(Files.readString(work.resolve(file)).strip());
  }
}
