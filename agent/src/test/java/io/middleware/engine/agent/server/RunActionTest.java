package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Context;
import io.middleware.engine.agent.command.CommandDriver;
import io.middleware.engine.agent.driver.FixedReplication;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.proto.tool.v1.RunActionRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs real commands over a real connection. */
class RunActionTest {
  private static final String HERE = "127.0.0.1";

  @TempDir Path folder;
  @TempDir Path work;
  private final SharedTransport transport = new SharedTransport();
  private AgentServer server;
  private AgentTestClient client;

  @BeforeEach
  void start() throws IOException {
    var driver = CommandDriver.over(new FixedReplication("db-1", "db-0"), Optional.of(folder));
    server =
        AgentServer.start(
            transport,
            new InetSocketAddress(HERE, 0),
            new ServedPod("db-1", "u1"),
            new ReplicationAnswers(driver));
    client = AgentTestClient.at(HERE, server.port());
  }

  @AfterEach
  void stop() {
    client.close();
    server.kill();
    transport.close();
  }

  @Test
  void shouldPassEverythingThatWasAsked() throws IOException {
    command("show", "sh", "-c", "echo $PARAM_A; exit 4");

    var output = client.runAction(request("show").putParameters("a", "1").build());

    assertThat(output).isEqualTo(ActionOutput.newBuilder().setExitCode(4).setOutput("1\n").build());
  }

  @Test
  void shouldTerminateAfterTheTimeout() throws IOException {
    command("wait", "sleep", "3600");

    var output =
        client.runAction(request("wait").setTimeoutSeconds(1).setKillTimeoutSeconds(60).build());

    assertThat(output)
        .isEqualTo(ActionOutput.newBuilder().setExitCode(143).setTimedOut(true).build());
  }

  @Test
  void shouldAttachARepeatedCallToTheRunningCommand() throws IOException {
    // Given
    command(
        "once",
        "sh",
        "-c",
        "echo run >> %s; until test -e %s; do sleep 0.02; done".formatted(begun(), end()));
    var first = CompletableFuture.supplyAsync(() -> client.runAction("o", "once"));
    await().until(() -> Files.exists(begun()));
    // When
    var second = CompletableFuture.supplyAsync(() -> client.runAction("o", "once"));
    Files.createFile(end());
    // Then
    assertThat(first.join()).isEqualTo(second.join());
    assertThat(client.runAction("o", "once")).isEqualTo(first.join());
    assertThat(Files.readAllLines(begun())).hasSize(1);
  }

  @Test
  void shouldEndTheCommandWithItsLastCall() throws Exception {
    // Given
    command(
        "wait",
        "sh",
        "-c",
        "echo $$ > %1$s.new; mv %1$s.new %1$s; exec sleep 3600".formatted(begun()));
    var call = Context.current().withCancellation();
    Runnable running = () -> client.runAction("o", "wait");
    CompletableFuture.runAsync(call.wrap(running));
    await().until(() -> Files.exists(begun()));
    // When
    call.cancel(null);
    // Then
    var process = Path.of("/proc", Files.readString(begun()).strip(), "exe");
    await().until(() -> !Files.exists(process));
  }

  /** Whether its call was cancelled before, or is there still. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldStopACommandThatIgnoresSigterm(boolean cancelled) throws Exception {
    // Given
    command(
        "stubborn",
        "sh",
        "-c",
        "trap '' TERM; echo $$ > %1$s.new; mv %1$s.new %1$s; while :; do sleep 0.1; done"
            .formatted(begun()));
    var call = Context.current().withCancellation();
    var request = request("stubborn").setKillTimeoutSeconds(1).build();
    Runnable running = () -> client.runAction(request);
    CompletableFuture.runAsync(call.wrap(running));
    await().until(() -> Files.exists(begun()));
    if (cancelled) {
      call.cancel(null);
    }
    // When
    var stopped = client.stopAction("o");
    // Then
    assertThat(stopped).isTrue();
    assertThat(Path.of("/proc", Files.readString(begun()).strip(), "exe")).doesNotExist();
    call.cancel(null);
  }

  @Test
  void shouldHaveStoppedWhatIsUnknownOrHasEnded() throws IOException {
    command("show", "true");
    client.runAction("ended", "show");

    assertThat(client.stopAction("ended")).isTrue();
    assertThat(client.stopAction("unknown")).isTrue();
    assertThat(client.runAction("ended", "show").getExitCode()).isZero();
  }

  @Test
  void shouldSendNoMoreOutputThanTheProtocolAllows() {
    var output =
        RunActionAnswer.of(
                new io.middleware.engine.agent.driver.ActionOutput(
                    0, "x" + "ä".repeat(10_000) + "!", Map.of()))
            .getDone();

    assertThat(output.getOutputBytes().size()).isBetween(16 * 1024 - 1, 16 * 1024);
    assertThat(output.getOutput()).startsWith("ä").endsWith("ä!");
  }

  private void command(String name, String... lines) throws IOException {
    Files.writeString(folder.resolve(name), String.join("\n", lines));
  }

  private static RunActionRequest.Builder request(String action) {
    return RunActionRequest.newBuilder().setOperationId("o").setAction(action);
  }

  private Path begun() {
    return work.resolve("begun");
  }

  private Path end() {
    return work.resolve("end");
  }
}
