package io.middleware.engine.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.log.ProcessOutput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatcherLogIT {
  @Test
  void shouldHaveTheFormOfAllProcesses(@TempDir Path folder)
      throws IOException, InterruptedException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      // When
      var lines =
          ProcessOutput.until(
              "cannot listen on",
              WatcherMain.class,
              Map.of("KUBECONFIG", folder.resolve("none").toString()),
              "--log-libraries",
              "INFO",
              "--watcher-http-address",
              "127.0.0.1:" + taken.getLocalPort());
      // Then
      assertThat(lines)
          .anySatisfy(
              line ->
                  assertThat(line)
                      .containsEntry("level", "ERROR")
                      .containsEntry("logger", "io.middleware.engine.process.StartUp"));
      assertThat(lines)
          .as("lines of libraries")
          .anySatisfy(
              line -> assertThat((String) line.get("logger")).doesNotStartWith("io.middleware"));
    }
  }
}
