package io.middleware.engine.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a process of its own whose heap is far smaller than what it writes and reads. */
class StoreMemoryIT {
  private static final long SIZE = 320L * Noise.MIB;

  @TempDir Path folder;

  @Test
  void shouldNotGrowWithTheSizeOfABackup() throws IOException {
    try (var server = S3Server.in(folder)) {
      var output = folder.resolve("output").toFile();
      var exitCode =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Transfer.class.getName(),
                  server.settings().directory().toString())
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(output))
              .start()
              .onExit()
              .join()
              .exitValue();

      assertThat(exitCode).as(Files.readString(output.toPath(), StandardCharsets.UTF_8)).isZero();
      assertThat(Files.size(server.file("a.rdb"))).isEqualTo(SIZE);
    }
  }

  /** Writes and verifies a backup. */
  static final class Transfer {
    private Transfer() {}

    public static void main(String[] settings) {
      try (var store = new StoreFiles(Path.of(settings[0])).settings().open()) {
        var written = new Measure(bytes -> {});
        store.write("a.rdb", written.of(Noise.of(SIZE)));
        new StoredCopy(store, "a.rdb", written.checksum()).verify((text, percent) -> {});
      }
    }
  }
}
