package io.middleware.engine.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.order.RoleOrder;
import io.middleware.engine.agent.server.AgentAnswers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands and requests in another container than that of the agent's process. */
class CommandPlaceTest {
  private static final String POD_IP = "127.0.0.2";
  private static final Duration PATIENT = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void stop() {
    scheduler.shutdownNow();
  }

  @Test
  void shouldRunCommandsThereWithTheEnvironmentOfThatPlaceAlone() throws IOException {
    Files.writeString(
        folder.resolve("measure-place"), "#!/bin/sh\necho $PLACE $INSIDE ${JAVA_HOME-none}");

    assertThat(answers().driver().measure("place")).isEqualTo("there yes none");
  }

  @Test
  void shouldSendRequestsToThePodAndNotToThisMachine() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(POD_IP, 0), 0);
    server.createContext(
        "/", exchange -> exchange.sendResponseHeaders(200, -1)); // 127.0.0.1 has no such port
    server.start();
    Files.writeString(
        folder.resolve("role.http"),
        "GET http://127.0.0.1:%d/health\nstatus == 200 ? env.PLACE : ''"
            .formatted(server.getAddress().getPort()));

    assertThat(answers().role()).isEqualTo("there");
    server.stop(0);
  }

  private AgentAnswers answers() {
    var settings =
        new CommandMode.Settings(
            "db-1",
            folder,
            PATIENT,
            PATIENT,
            RoleOrder.PRIMARY_LAST,
            Optional.empty(),
            AccountFiles.NONE);
    var place =
        CommandPlace.inside(
            () -> Map.of("PLACE", "there", "PATH", System.getenv("PATH")),
            command -> Stream.concat(Stream.of("env", "INSIDE=yes"), command.stream()).toList(),
            POD_IP);
    return CommandMode.of(settings, pods -> Map.of(), scheduler, place).answers();
  }
}
