package io.middleware.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.log.ProcessOutput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentLogIT {
  @Test
  void shouldHaveTheFormOfAllProcesses() throws IOException, InterruptedException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      // When
      var lines =
          ProcessOutput.until(
              "uncaught exception",
              AgentMain.class,
              Map.of(
                  "POD_NAME", "cache-0",
                  "AGENT_BIND", taken.getInetAddress().getHostAddress(),
                  "AGENT_PORT", Integer.toString(taken.getLocalPort())));
      // Then
      assertThat(lines)
          .allSatisfy(line -> assertThat(line).containsEntry("pod", "cache-0"))
          .anySatisfy(line -> assertThat(line).containsEntry("message", "agent starts"))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .containsEntry("message", "uncaught exception in thread main")
                      .containsKeys("error", "stack"));
    }
  }
}
