package io.middleware.engine.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.middleware.engine.agent.driver.ActionRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first process of a real PID namespace, with a Java that runs an action in it. */
class ContainerInitTest {
  private static final List<String> NAMESPACE =
      List.of("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc");

  private static final int TERMINATED = 143;

  @TempDir Path work;

  @Test
  void shouldLeaveNoZombieAndPassTheTerminationOn() throws Exception {
    assumeTrue(mayMakeNamespaces(), "this machine lets a user make no PID namespace");
    // Given
    ContainerInit.write(work.resolve("init"));
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    // When
    var container =
        run(
            work.resolve("init").toString(),
            java,
            ContainerInit.OPTION,
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            work.toString());
    await().until(() -> Files.exists(work.resolve("reaped")) || !container.isAlive());
    // Then
    assertThat(container.isAlive()).as(said()).isTrue();
    // When
    container.children().forEach(ProcessHandle::destroy);
    // Then
    assertThat(container.waitFor()).as(said()).isEqualTo(TERMINATED);
    assertThat(work.resolve("stopped")).exists();
  }

  /** In the container; it has two processes then, and those of the action. */
  public static final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
      var work = Path.of(args[0]);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> write(work.resolve("stopped"))));
      var daemon = OrphansTest.DAEMON.formatted(work.resolve("daemon"));
      var orphan = "sh -c 'sh -c : &'";
      var request = new ActionRequest("a", Map.of(), Duration.ZERO, Duration.ofMillis(200));
      CommandRun.start(
              request,
              List.of("sh", "-c", orphan + "; " + daemon),
              CommandPlace.here(Orphans.ofContainer()))
          .await((text, percent) -> {});
      while (!others().isEmpty()) {
        Thread.sleep(50);
      }
      write(work.resolve("reaped"));
      Thread.sleep(Long.MAX_VALUE);
    }

    /** The processes that are neither the first one nor this one, zombies as well. */
    private static List<String> others() throws IOException {
      try (var files = Files.list(Path.of("/proc"))) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.matches("[0-9]+"))
            .filter(name -> !name.equals("1"))
            .filter(name -> !name.equals(String.valueOf(ProcessHandle.current().pid())))
            .toList();
      }
    }

    private static void write(Path file) {
      try {
        Files.createFile(file);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private boolean mayMakeNamespaces() throws InterruptedException {
    try {
      return run("true").waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  private Process run(String... command) throws IOException {
    var all = new ArrayList<>(NAMESPACE);
    all.addAll(List.of(command));
    return new ProcessBuilder(all)
        .redirectErrorStream(true)
        .redirectOutput(work.resolve("said").toFile())
        .start();
  }

  private String said() throws IOException {
    return Files.readString(work.resolve("said"), StandardCharsets.UTF_8);
  }
}
