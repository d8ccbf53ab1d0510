package io.middleware.engine.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.OutdatedSecret;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.order.RoleOrder;
import io.middleware.engine.agent.order.WorkOrder;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.agent.store.StoreSettings;
import io.middleware.engine.agent.store.StoreSource;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs real scripts. Each says in a file when it is ready, so no test depends on time. */
class CommandModeTest {
  private static final ProgressSink NOBODY = (message, percent) -> {};
  private static final Duration PATIENT = Duration.ofMinutes(5);
  private static final Map<String, String> PARAMETERS =
      Map.of("max", "7", "name", "a b=c $(id)", "zero", "");

  @TempDir Path folder;
  @TempDir Path work;
  @TempDir Path stored;
  private final Map<String, String> others = new HashMap<>();
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
  private AgentAnswers answers;

  @BeforeEach
  void create() {
    answers = answers(PATIENT, RoleOrder.PRIMARY_LAST);
  }

  @AfterEach
  void stop() {
    scheduler.shutdownNow();
  }

  @Test
  void shouldReportTheRoleAndTheProblemThatTheCommandPrints() throws IOException {
    script("role", "echo primary; echo 'refuses writes: the disk is full'");

    assertThat(answers.role()).isEqualTo("primary");
    assertThat(answers.trouble()).isEqualTo("refuses writes: the disk is full");
  }

  @Test
  void shouldHaveNoRolesWithoutACommand() {
    assertThat(answers.role()).isEmpty();
    assertThat(answers.trouble()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          echo primary; echo no quorum >&2; exit 1 | role ended with exit code 1: no quorum
          echo an election is on; exit 2           | role: an election is on
          exit 3                                   | role ended with exit code 3: it printed no reason
          echo Leader                              | role printed 'Leader', but must print a role first
          true                                     | role printed '', but must print a role first
          exec /no/such/program 2>/dev/null        | role ended with exit code 127
          """)
  void shouldNeverGuessARole(String command, String why) throws IOException {
    script("role", command);

    assertFails(Status.Code.UNAVAILABLE, why, () -> answers.role());
  }

  @Test
  void shouldNotWaitForARoleLongerThanItsLimit() throws IOException {
    answers = answers(Duration.ofMillis(200), RoleOrder.PRIMARY_LAST);
    script("role", "echo $$ > %s; echo primary; sleep 3600".formatted(pids()));

    assertFails(Status.Code.UNAVAILABLE, "role took too long and was killed", () -> answers.role());
    assertThat(begun()).noneMatch(CommandModeTest::isAlive);
  }

  @Test
  void shouldReadAScriptAgainAtEachCall() throws IOException {
    script("measure-lag", "echo 1");
    assertThat(answers.driver().measure("lag")).isEqualTo("1");

    script("measure-lag", "echo 2");

    assertThat(answers.driver().measure("lag")).isEqualTo("2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          exit 3                     | FAILED_PRECONDITION | measure-lag ended with exit code 3
          echo not connected; exit 3 | FAILED_PRECONDITION | not connected
          echo it hides it; exit 2   | FAILED_PRECONDITION | it hides it
          echo broken >&2; exit 1    | UNAVAILABLE         | measure-lag ended with exit code 1: broken
          echo 1; echo 2             | FAILED_PRECONDITION | printed '1 2', but must print one line
          seq -s, 1 200              | FAILED_PRECONDITION | of at most 256 characters
          true                       | FAILED_PRECONDITION | printed '', but must print one line
          """)
  void shouldGiveNoMeasurementThatIsNone(String command, Status.Code code, String why)
      throws IOException {
    script("measure-lag", command);

    assertFails(code, why, () -> answers.driver().measure("lag"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lag", "../measure-lag", "", "lag.http"})
  void shouldRefuseAQuestionWithoutACommand(String question) throws IOException {
    script("measure-size", "echo 1");

    assertFails(
        Status.Code.FAILED_PRECONDITION,
        "which has [measure-size]",
        () -> answers.driver().measure(question));
  }

  @Test
  void shouldSayWhetherThePodMayStop() throws IOException {
    script("safe-to-stop", "exit 0");
    assertThat(answers.driver().measure("safe-to-stop")).isEqualTo("yes");

    script("safe-to-stop", "echo looking; echo 2 partitions would be offline; exit 1");
    assertThat(answers.driver().measure("safe-to-stop"))
        .isEqualTo("no: 2 partitions would be offline");
  }

  @Test
  void shouldGiveTheOrderThatTheCommandPrints() throws IOException {
    script("order", "test $SCENARIO = upgrade && sort -r");

    assertThat(order(Scenario.SCENARIO_UPGRADE, "db-0", "db-1", "db-2"))
        .isEqualTo(new WorkOrder(List.of("db-2", "db-1", "db-0"), false));
  }

  @Test
  void shouldWorkOnAllAtOnceOnlyWhenTheCommandSaysSo() throws IOException {
    script("order", "echo concurrent");

    assertThat(order(Scenario.SCENARIO_UPDATE, "db-0", "db-1"))
        .isEqualTo(new WorkOrder(List.of("db-0", "db-1"), true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "echo db-0", "cat; cat; echo db-0", "echo db-0; echo db-7"})
  void shouldRefuseAnOrderThatIsNone(String command) throws IOException {
    script("order", command);

    assertFails(
        Status.Code.FAILED_PRECONDITION,
        "order printed '",
        () -> order(Scenario.SCENARIO_UPDATE, "db-0", "db-1"));
  }

  @Test
  void shouldPutThePrimaryLastWithoutACommand() throws IOException {
    script("role", "echo primary");

    assertThat(order(Scenario.SCENARIO_UPDATE, "db-1", "db-0", "db-10", "db-2").names())
        .containsExactly("db-0", "db-2", "db-10", "db-1");
  }

  @Test
  void shouldOrderPodsByTheRolesThatTheirAgentsSay() throws IOException {
    answers = answers(PATIENT, new RoleOrder(List.of("learner", "follower", "leader")));
    script("role", "echo follower");
    others.putAll(Map.of("db-0", "primary", "db-2", "learner", "db-4", "follower"));

    assertThat(order(Scenario.SCENARIO_UPDATE, "db-0", "db-1", "db-2", "db-3", "db-4").names())
        .as("db-3 does not answer")
        .containsExactly("db-3", "db-2", "db-1", "db-4", "db-0");
  }

  @Test
  void shouldCallTheLastRoleOfTheOrderPrimary() throws IOException {
    answers = answers(PATIENT, new RoleOrder(List.of("learner", "follower", "leader")));
    script("role", "echo leader");

    assertThat(answers.role()).isEqualTo("primary");
  }

  @Test
  void shouldNotOrderPodsWhenThePrimaryMayBeAnyOfThem() throws IOException {
    script("role", "echo replica");

    assertFails(
        Status.Code.UNAVAILABLE,
        "no primary among those whose role is known, {db-1=replica}",
        () -> order(Scenario.SCENARIO_UPDATE, "db-0", "db-1"));
  }

  @Test
  void shouldSwitchOverToTheSuccessor() throws Exception {
    script("role", "echo primary");
    script("switchover", "echo moves to $SUCCESSOR; echo primary=$SUCCESSOR");

    assertThat(answers.driver().switchover(Optional.of("db-2"), NOBODY)).hasValue("db-2");
    assertThat(answers.driver().switchover(Optional.of("db-1"), NOBODY)).hasValue("db-1");
  }

  @Test
  void shouldHaveSwitchedOverWhereItIsNotThePrimary() throws Exception {
    script("role", "echo replica");
    script("switchover", "exit 2");

    assertThat(answers.driver().switchover(Optional.empty(), NOBODY)).isEmpty();
  }

  @Test
  void shouldAskForTheRoleAgainAfterASwitchover() throws Exception {
    // Given
    Files.writeString(work.resolve("role"), "primary");
    script("role", "cat " + work.resolve("role"));
    script("switchover", "printf replica > %s".formatted(work.resolve("role")));
    assertThat(answers.role()).isEqualTo("primary");
    // When
    answers.driver().switchover(Optional.empty(), NOBODY);
    // Then
    assertThat(answers.role()).isEqualTo("replica");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          echo no replica is in sync; exit 2    | FAILED_PRECONDITION | switchover: no replica is in sync
          echo on; echo it broke >&2; exit 1    | UNAVAILABLE         | switchover ended with exit code 1: it broke
          """)
  void shouldTellARefusalFromAFailure(String command, Status.Code code, String why)
      throws IOException {
    script("switchover", command);

    assertFails(code, why, () -> answers.driver().switchover(Optional.empty(), NOBODY));
  }

  @Test
  void shouldReloadParametersAndSayWhatIsInForce() throws Exception {
    script("reload", "echo sets them; sed 's/^max=.*/max=8/'; echo other=1");

    assertThat(answers.driver().reload(PARAMETERS, NOBODY))
        .isEqualTo(Map.of("max", "8", "name", "a b=c $(id)", "zero", ""));
  }

  @Test
  void shouldSayWhichPasswordIsOlderThanTheEngineMeans() throws Exception {
    var passwords = Files.createDirectories(work.resolve("secrets/accounts"));
    Files.writeString(passwords.resolve("password"), "new\n");
    Files.writeString(passwords.resolve("other"), "old");
    var meant = digest("salt", "new");

    assertThat(
            answers
                .driver()
                .outdatedSecret("salt", Map.of("password", meant, "certificate", "any")))
        .isEmpty();
    assertThat(answers.driver().outdatedSecret("salt", Map.of("password", meant, "other", meant)))
        .contains(new OutdatedSecret("other", digest("salt", "old")));
  }

  /** As the engine makes it. */
  private static String digest(String salt, String value) throws Exception {
    var bytes = (salt + '\0' + value + '\0').getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  @Test
  void shouldRefuseAValueThatIsNoLine() throws IOException {
    script("reload", "cat");

    assertFails(
        Status.Code.FAILED_PRECONDITION,
        "the value of name has a line break",
        () -> answers.driver().reload(Map.of("name", "a\nb=c"), NOBODY));
  }

  @Test
  void shouldReportTheLastLineOfAnActionAsProgress() throws Exception {
    // Given
    script(
        "drain", "echo one; echo two >&2; until test -e %s; do sleep 0.02; done".formatted(end()));
    var progress = new AtomicReference<>("");
    // When
    var running = started(() -> answers.driver().drain((message, p) -> progress.set(message)));
    // Then
    await().until(() -> progress.get().equals("two"));
    Files.createFile(end());
    running.result().join();
  }

  @Test
  void shouldEndTheWholeTreeWhenAnActionIsCancelled() throws Exception {
    // Given
    script(
        "drain",
        "(setsid sleep 3603 & echo $! >> %1$s); echo $$ >> %1$s; touch %2$s; wait; sleep 3602"
            .formatted(pids(), ready()));
    var running = started(() -> answers.driver().drain(NOBODY));
    await().until(() -> Files.exists(ready()));
    // When
    running.thread().interrupt();
    // Then
    await().until(running.result()::isCompletedExceptionally);
    assertThat(Files.readAllLines(pids())).hasSize(2).noneMatch(CommandModeTest::isAlive);
  }

  @Test
  void shouldEndThePauseOfWritesWhenItFails() throws IOException {
    script(
        "persist",
        "test $BEFORE_END = true && touch %s; echo the disk is full; exit 2".formatted(ready()));
    script("resume", "rm " + ready());

    assertFails(
        Status.Code.FAILED_PRECONDITION,
        "persist: the disk is full",
        () -> answers.driver().persist(true, NOBODY));
    assertThat(ready()).doesNotExist();
  }

  @Test
  void shouldEndThePauseOfWritesWhenItIsCancelled() throws Exception {
    // Given
    script("persist", "touch %s; sleep 3600".formatted(ready()));
    script("resume", "touch " + end());
    var running = started(() -> answers.driver().persist(true, NOBODY));
    await().until(() -> Files.exists(ready()));
    // When
    running.thread().interrupt();
    // Then
    await().until(running.result()::isCompletedExceptionally);
    assertThat(end()).exists();
  }

  @Test
  void shouldPauseWritesUntilTheyAreResumed() throws Exception {
    script("persist", "touch " + ready());
    script("resume", "rm " + ready());

    answers.driver().persist(true, NOBODY);
    assertThat(ready()).exists();
    answers.driver().resume();

    assertThat(ready()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"switchover", "reload", "drain", "persist"})
  void shouldNotImplementWhatHasNoCommand(String what) {
    var driver = answers.driver();
    ThrowingCallable call =
        switch (what) {
          case "switchover" -> () -> driver.switchover(Optional.empty(), NOBODY);
          case "reload" -> () -> driver.reload(Map.of(), NOBODY);
          case "drain" -> () -> driver.drain(NOBODY);
          default -> () -> driver.persist(true, NOBODY);
        };

    assertFails(Status.Code.UNIMPLEMENTED, "this agent cannot", call);
  }

  @Test
  void shouldRunEveryOtherFileAsAnAction() throws Exception {
    script("join", "echo joins $PARAM_AS; exit 2");

    assertThat(run("join", Map.of("as", "voter")))
        .isEqualTo(new ActionOutput(2, "joins voter\n", Map.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "join, UNIMPLEMENTED",
    "joined, UNIMPLEMENTED",
    "leave, UNIMPLEMENTED",
    "rejoin, FAILED_PRECONDITION"
  })
  void shouldHaveNothingToDoForMembersWithoutAFile(String name, Status.Code code) {
    assertFails(code, "does not know the action " + name, () -> run(name, Map.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"role", "order", "safe-to-stop", "measure-lag", "switchover", "resume"})
  void shouldNotRunAsAnActionWhatTheEngineAsksItself(String name) throws IOException {
    script(name, "true");

    assertFails(
        Status.Code.FAILED_PRECONDITION, name + " is not an action", () -> run(name, Map.of()));
  }

  @Test
  void shouldStreamABackupToTheStoreAndBack() throws Exception {
    // Given
    script("backup", "echo reads the data >&2; seq 1 200000");
    script("verify", "tail -n 1 | grep -qx 200000");
    script("restore", "cat > %s; echo restored $PARAM_KEY".formatted(ready()));
    // When
    var backup = run("backup", Map.of("key", "shop/1"));
    // Then
    assertThat(backup.exitCode()).isZero();
    assertThat(backup.output()).isEqualTo("reads the data\n");
    assertThat(backup.values()).containsEntry("size", "1288895");
    var copy = Map.of("key", "shop/1", "checksum", backup.values().get("checksum"));
    assertThat(run("verify-backup", copy).values()).containsEntry("size", "1288895");
    assertThat(run("restore", copy).output()).isEqualTo("restored shop/1\n");
    assertThat(ready()).hasSameBinaryContentAs(stored.resolve("shop/1"));
    run("delete-backup", copy);
    assertThat(stored.resolve("shop/1")).doesNotExist();
  }

  @Test
  void shouldStoreNothingOfABackupThatFails() throws Exception {
    script("backup", "seq 1 200000; echo the disk broke >&2; exit 5");

    var output = run("backup", Map.of("key", "shop/1"));

    assertThat(output).isEqualTo(new ActionOutput(5, "the disk broke\n", Map.of()));
    assertThat(stored.resolve("shop/1")).doesNotExist();
  }

  @Test
  void shouldRefuseABackupThatTheMiddlewareRefuses() throws IOException {
    script("backup", "echo it is a witness >&2; exit 2");

    assertFails(
        Status.Code.FAILED_PRECONDITION,
        "it is a witness",
        () -> run("backup", Map.of("key", "k")));
  }

  @Test
  void shouldNotEndTheInputOfARestoreWhoseBackupIsCorrupt() throws Exception {
    // Given
    script("backup", "seq 1 200000");
    script("restore", "cat > /dev/null; touch " + end());
    var backup = run("backup", Map.of("key", "k"));
    Files.writeString(stored.resolve("k"), "something else");
    // When Then
    assertFails(
        Status.Code.FAILED_PRECONDITION,
        "is corrupt",
        () -> run("restore", Map.of("key", "k", "checksum", backup.values().get("checksum"))));
    assertThat(end()).doesNotExist();
  }

  @Test
  void shouldRestoreByACommandThatDoesNotReadAll() throws Exception {
    script("backup", "seq 1 200000");
    script("restore", "head -n 1 > " + ready());
    var backup = run("backup", Map.of("key", "k"));

    var output = run("restore", Map.of("key", "k", "checksum", backup.values().get("checksum")));

    assertThat(output.exitCode()).isZero();
    assertThat(ready()).hasContent("1\n");
  }

  @Test
  void shouldEndABackupWhenItIsCancelled() throws Exception {
    // Given
    script("backup", "echo $$ > %s; seq 1 9; touch %s; sleep 3600".formatted(pids(), ready()));
    var running = started(() -> run("backup", Map.of("key", "k")));
    await().until(() -> Files.exists(ready()));
    // When
    running.thread().interrupt();
    // Then
    await().until(running.result()::isCompletedExceptionally);
    assertThat(Files.readAllLines(pids())).noneMatch(CommandModeTest::isAlive);
    assertThat(stored).isEmptyDirectory();
  }

  @Test
  void shouldTerminateABackupWhoseTimeIsOver() throws Exception {
    script("backup", "echo $$ > %s; sleep 3600".formatted(pids()));

    var output =
        answers
            .driver()
            .runAction(
                new ActionRequest(
                    "backup", Map.of("key", "k"), Duration.ofMillis(200), Duration.ZERO),
                NOBODY);

    assertThat(output.timedOut()).isTrue();
    assertThat(begun()).noneMatch(CommandModeTest::isAlive);
  }

  private AgentAnswers answers(Duration roleLimit, RoleOrder order) {
    StoreSource store = () -> new StoreSettings.Folder(stored);
    var settings =
        new CommandMode.Settings(
            "db-1",
            folder,
            PATIENT,
            roleLimit,
            order,
            Optional.of(store),
            new AccountFiles(Optional.of(work.resolve("secrets"))));
    return CommandMode.of(
            settings,
            pods -> {
              var known = new HashMap<>(others);
              known.keySet().retainAll(pods);
              return known;
            },
            scheduler)
        .answers();
  }

  private WorkOrder order(Scenario scenario, String... pods) {
    return answers.podOrder(scenario, List.of(pods));
  }

  private ActionOutput run(String name, Map<String, String> parameters)
      throws InterruptedException {
    return answers
        .driver()
        .runAction(new ActionRequest(name, parameters, Duration.ZERO, PATIENT), NOBODY);
  }

  private record Started(Thread thread, CompletableFuture<Void> result) {}

  private static Started started(ThrowingCallable call) {
    var result = new CompletableFuture<Void>();
    var thread =
        Thread.startVirtualThread(
            () -> {
              try {
                call.call();
                result.complete(null);
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    return new Started(thread, result);
  }

  private static void assertFails(Status.Code code, String why, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(code);
              assertThat(e.getStatus().getDescription()).contains(why);
            });
  }

  private void script(String name, String command) throws IOException {
    Files.writeString(folder.resolve(name), "#!/bin/sh\n" + command + "\n");
  }

  /** The processes that had the time to say so. */
  private List<String> begun() throws IOException {
    return Files.exists(pids()) ? Files.readAllLines(pids()) : List.of();
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

  private Path end() {
    return work.resolve("end");
  }
}
