package io.middleware.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.middleware.engine.agent.server.SharedTransport;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandSidecarTest {
  @TempDir Path folder;
  private CommandSidecar sidecar;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    var env =
        Map.of(
            "AGENT_MODE", "commands",
            "POD_NAME", "db-1",
            "AGENT_ACTIONS_FOLDER", folder.toString(),
            "AGENT_BIND", "127.0.0.1",
            "AGENT_PORT", "0",
            "ROLE_INTERVAL", "20ms",
            "ROLE_TIMEOUT", "4m");
    role("exit 1");
    var settings = (SidecarSettings.Commands) SidecarSettings.from(new EnvironmentVariables(env));
    sidecar = CommandSidecar.start(settings, new SharedTransport());
    channel = NettyChannelBuilder.forAddress("127.0.0.1", sidecar.port()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    sidecar.close();
  }

  @Test
  void shouldBeReadyWhileTheRoleIsKnown() throws IOException {
    await().until(() -> readiness() == ServingStatus.NOT_SERVING);

    role("echo primary");

    await().until(() -> readiness() == ServingStatus.SERVING);
    var request = GetRoleRequest.newBuilder().setPodName("db-1").build();
    assertThat(ToolInvokerGrpc.newBlockingStub(channel).getRole(request).getRole())
        .isEqualTo("primary");
  }

  /** NOT_FOUND until the role was asked for the first time. */
  private ServingStatus readiness() {
    try {
      var request = HealthCheckRequest.newBuilder().setService(CommandSidecar.READINESS).build();
      return HealthGrpc.newBlockingStub(channel).check(request).getStatus();
    } catch (StatusRuntimeException e) {
      return ServingStatus.SERVICE_UNKNOWN;
    }
  }

  /** A file appears with all its content, as in a ConfigMap. */
  private void role(String command) throws IOException {
    var file = Files.writeString(folder.resolve(".new"), "#!/bin/sh\n" + command + "\n");
    Files.move(file, folder.resolve("role"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }
}
