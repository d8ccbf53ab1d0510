package io.middleware.engine.agent.command;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.FixedReplication;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs real processes. Each script says in a file when it is ready, so no test depends on time. */
class CommandDriverTest {
  private static final Duration NO_TIMEOUT = Duration.ZERO;
  private static final Duration PATIENT = Duration.ofMinutes(5);
  private static final Duration IMPATIENT = Duration.ofMillis(200);

  @TempDir Path folder;
  @TempDir Path work;
  private Driver driver;

  @BeforeEach
  void create() {
    driver = CommandDriver.over(new FixedReplication("db-1", "db-0"), Optional.of(folder));
  }

  /** A default of the interface would hide what the driver behind can do. */
  @Test
  void shouldPassOnEveryAction() {
    assertThat(CommandDriver.class.getDeclaredMethods())
        .extracting(Method::getName)
        .containsAll(
            Stream.of(Driver.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(Method::getName)
                .toList());
  }

  @Test
  void shouldReportExitCodeAndOutput() throws Exception {
    command("check", "sh", "-c", "echo looks; echo bad >&2; exit 3");

    assertThat(run(request("check", Map.of())))
        .isEqualTo(new ActionOutput(3, "looks\nbad\n", Map.of()));
  }

  @Test
  void shouldPassParametersAsVariablesThatNoShellEvaluates() throws Exception {
    command("show", "printenv", "PARAM_MAX_AGE_S");
    var value = "$(id); `id` \"x\" ' *";

    assertThat(run(request("show", Map.of("max-age.s", value))).output()).isEqualTo(value + "\n");
  }

  @Test
  void shouldRefuseParametersWithTheSameVariable() throws Exception {
    command("show", "true");

    assertRefused(
        request("show", Map.of("max-age", "1", "max_age", "2")), "max_age", "PARAM_MAX_AGE");
  }

  @Test
  void shouldKeepTheEndOfALongOutput() throws Exception {
    command("print", "seq", "1", "20000");
    var all = IntStream.rangeClosed(1, 20_000).mapToObj(i -> i + "\n").collect(joining());

    var output = run(request("print", Map.of())).output();

    assertThat(output).hasSize(16 * 1024);
    assertThat(all).endsWith(output);
  }

  @Test
  void shouldReportTheLastLineAsProgress() throws Exception {
    // Given
    command(
        "copy",
        "sh",
        "-c",
        "echo one; echo two; until test -e " + ended() + "; do sleep 0.02; done");
    var progress = new AtomicReference<>("");
    // When
    var running = started(request("copy", Map.of()), (message, percent) -> progress.set(message));
    // Then
    await().until(() -> progress.get().equals("two"));
    Files.createFile(ended());
    assertThat(running.result().join().exitCode()).isZero();
  }

  @Test
  void shouldTerminateACommandWhoseTimeIsOver() throws Exception {
    command("wait", "sleep", "3600");

    var output = run(new ActionRequest("wait", Map.of(), IMPATIENT, PATIENT));

    assertThat(output).isEqualTo(new ActionOutput(143, "", Map.of(), true));
  }

  @Test
  void shouldKillACommandWithoutAKillTimeout() throws Exception {
    command("wait", "sleep", "3600");

    var output = run(new ActionRequest("wait", Map.of(), IMPATIENT, Duration.ZERO));

    assertThat(output).isEqualTo(new ActionOutput(137, "", Map.of(), true));
  }

  @Test
  void shouldNotTakeAnEndAfterTheTimeoutForASuccess() throws Exception {
    command("wait", "sh", "-c", "trap 'exit 0' TERM; while :; do sleep 0.02; done");

    var output = run(new ActionRequest("wait", Map.of(), IMPATIENT, PATIENT));

    assertThat(output.timedOut()).isTrue();
  }

  @Test
  void shouldEndTheWholeTreeWhenItIsCancelled() throws Exception {
    // Given a child, an orphan, and an orphan with a session of its own
    command(
        "fork",
        "sh",
        "-c",
        "sleep 3601 & echo $! >> %1$s; (sleep 3602 & echo $! >> %1$s); (setsid sleep 3603 & echo $! >> %1$s); touch %2$s; wait"
            .formatted(pids(), ready()));
    var running = started(request("fork", Map.of()));
    await().until(() -> Files.exists(ready()));
    // When
    running.thread().interrupt();
    // Then
    await().until(running.result()::isCompletedExceptionally);
    assertThat(Files.readAllLines(pids())).hasSize(3).noneMatch(CommandDriverTest::isAlive);
  }

  @Test
  void shouldEndWhatACommandLeavesBehind() throws Exception {
    command("leave", "sh", "-c", "setsid sleep 3604 & echo $! > %s; exit 5".formatted(pids()));

    var output = run(request("leave", Map.of()));

    assertThat(output.exitCode()).isEqualTo(5);
    assertThat(Files.readAllLines(pids())).hasSize(1).noneMatch(CommandDriverTest::isAlive);
  }

  @Test
  void shouldRefuseAnActionThatItDoesNotKnow() throws Exception {
    command("check", "true");
    command(".hidden", "true");

    assertRefused(request("flush", Map.of()), "flush", "[check]");
    assertRefused(request(".hidden", Map.of()), ".hidden", "[check]");
    assertRefused(request("../" + folder.getFileName() + "/check", Map.of()), "[check]");
  }

  @Test
  void shouldRefuseACommandThatCannotStart() throws Exception {
    command("check", "/no/such/program");
    command("empty");

    assertRefused(request("check", Map.of()), "cannot start the action check", "/no/such/program");
    assertRefused(request("empty", Map.of()), "the file empty is empty");
  }

  @Test
  void shouldLeaveEverythingElseToTheDriver() throws Exception {
    ProgressSink nobody = (message, percent) -> {};

    assertThat(driver.role()).isEqualTo(ReplicationRole.REPLICA);
    assertThat(driver.primary()).hasValue("db-0");
    assertThatThrownBy(() -> driver.switchover(Optional.empty(), nobody))
        .hasMessageContaining("UNIMPLEMENTED");
    assertThat(CommandDriver.over(driver, Optional.empty())).isSameAs(driver);
  }

  private record Started(Thread thread, CompletableFuture<ActionOutput> result) {}

  private Started started(ActionRequest request) {
    return started(request, (message, percent) -> {});
  }

  private Started started(ActionRequest request, ProgressSink progress) {
    var result = new CompletableFuture<ActionOutput>();
    var thread =
        Thread.startVirtualThread(
            () -> {
              try {
                result.complete(driver.runAction(request, progress));
              } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return new Started(thread, result);
  }

  private ActionOutput run(ActionRequest request) throws InterruptedException {
    return driver.runAction(request, (message, percent) -> {});
  }

  private void assertRefused(ActionRequest request, String... why) {
    assertThatThrownBy(() -> run(request))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
              assertThat(e.getStatus().getDescription()).contains(why);
            });
  }

  private void command(String name, String... lines) throws IOException {
    Files.writeString(folder.resolve(name), String.join("\n", lines));
  }

  private static ActionRequest request(String name, Map<String, String> parameters) {
    return new ActionRequest(name, parameters, NO_TIMEOUT, PATIENT);
  }

  private static boolean isAlive(String pid) {
    return Files.exists(Path.of("/proc", pid, "exe"));
  }

  private Path pids() {
    return work.resolve("pids");
  }

  private Path ready() {
    return work.resolve("ready");
  }

  private Path ended() {
    return work.resolve("ended");
  }
}
