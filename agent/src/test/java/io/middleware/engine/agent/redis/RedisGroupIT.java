package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.lettuce.core.KillArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.middleware.engine.agent.redis.RedisSwitchover.SwitchoverTimeouts;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three real Redis servers with their agents. */
class RedisGroupIT {
  /** More than a close replica may lack. */
  private static final String LARGE = "x".repeat(2 << 20);

  private static final SwitchoverTimeouts SHORT =
      new SwitchoverTimeouts(
          Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofMillis(500));

  @TempDir private Path folder;
  private RealGroup group;
  private List<RealRedis> processes;
  private List<RedisDriver> drivers;

  @BeforeEach
  void start() throws IOException {
    restartGroup();
  }

  /** With new volumes. */
  private void restartGroup(String... options) throws IOException {
    group = new RealGroup(Files.createTempDirectory(folder, "group"), Optional.empty(), options);
    processes = group.processes;
    drivers = group.drivers;
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void shouldSwitchOverWithoutLosingAWriteAndLetTheOthersFollow() throws InterruptedException {
    // Given
    write(0, "before");
    // When
    var primary = drivers.get(0).switchover(Optional.empty(), (message, percent) -> {});
    // Then
    assertThat(primary).contains("db-1");
    assertThat(roles())
        .containsExactly(ReplicationRole.REPLICA, ReplicationRole.PRIMARY, ReplicationRole.REPLICA);
    write(1, "after");
    assertThat(onAll(redis -> redis.get("before"))).containsOnly("before");
    // and again: nothing to do
    assertThat(drivers.get(0).switchover(Optional.empty(), (message, percent) -> {}))
        .contains("db-1");
  }

  @Test
  void shouldPromoteThePodWithTheMostHistoryWhenThePrimaryReturnsEmpty() {
    // Given
    write(0, "kept");
    // When it dies before it has saved its data
    processes.get(0).kill();
    processes.get(0).start();
    // Then
    group.awaitPrimary(1);
    await().untilAsserted(() -> assertThat(onAll(redis -> redis.get("kept"))).containsOnly("kept"));
  }

  @Test
  void shouldPromoteNoEmptyPodWhenRedisHasForgottenTheHistory() throws IOException {
    // Given a volume that is new when all of them start from append-only files
    group.close();
    restartGroup("--appendonly", "yes");
    write(0, "kept");
    processes.forEach(RealRedis::stop);
    processes.get(0).removeData();
    // When
    processes.forEach(RealRedis::start);
    // Then
    group.awaitPrimaryBut(0);
    await().untilAsserted(() -> assertThat(onAll(redis -> redis.get("kept"))).containsOnly("kept"));
  }

  @Test
  void shouldServeAGroupThatAnEarlierPluginStarted() throws Exception {
    // Given Redis servers that do not name their pods
    group.close();
    restartGroup("--syslog-ident", "redis");
    write(0, "kept");
    // When
    var primary = drivers.get(0).switchover(Optional.empty(), (message, percent) -> {});
    // Then
    assertThat(primary).contains("db-1");
    group.awaitPrimary(1);
    // and after a start of all, by the offset
    processes.forEach(RealRedis::stop);
    processes.forEach(RealRedis::start);
    await().ignoreExceptions().until(() -> primaries() == 1);
    await().untilAsserted(() -> assertThat(onAll(redis -> redis.get("kept"))).containsOnly("kept"));
  }

  @Test
  void shouldWaitForAPodThatDoesNotAnswerAndKeepItsWrites() throws InterruptedException {
    // Given
    write(0, "kept");
    processes.get(0).stop();
    // When
    Thread.sleep(Duration.ofMillis(700)); // several checks
    // Then
    assertThat(List.of(drivers.get(1).role(), drivers.get(2).role()))
        .containsOnly(ReplicationRole.REPLICA);
    assertThatThrownBy(() -> drivers.get(1).primary()).hasMessageContaining("UNAVAILABLE");
    processes.get(0).start();
    await().ignoreExceptions().until(() -> primaries() == 1);
    await().untilAsserted(() -> assertThat(onAll(redis -> redis.get("kept"))).containsOnly("kept"));
  }

  @Test
  void shouldRefuseToSwitchOverWithoutAReplica() {
    // Given
    processes.get(1).stop();
    processes.get(2).stop();
    await()
        .untilAsserted(
            () -> assertThat(redis(0).info("replication")).contains("connected_slaves:0"));
    // Then
    assertThatThrownBy(() -> drivers.get(0).switchover(Optional.empty(), (message, percent) -> {}))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("FAILED_PRECONDITION: no replica of db-0 was in sync within 5 s");
    assertThat(drivers.get(0).role()).isEqualTo(ReplicationRole.PRIMARY);
  }

  @Test
  void shouldSwitchOverToAReplicaThatReconnects() throws Throwable {
    // Given
    redis(0).clientKill(KillArgs.Builder.typeSlave());
    // When
    switchover(message -> {}, SwitchoverTimeouts.DEFAULT).call();
    // Then
    assertThat(drivers.get(0).role()).isEqualTo(ReplicationRole.REPLICA);
  }

  @Test
  void shouldContinueToServeWhenASwitchoverIsCancelled() throws InterruptedException {
    // Given replicas that lack a write
    processes.get(1).freeze();
    processes.get(2).freeze();
    redis(0).set("late", "late");
    var end = new CompletableFuture<Throwable>();
    var switchover =
        Thread.ofVirtual()
            .start(
                () ->
                    end.complete(
                        catchThrowable(
                            () ->
                                drivers
                                    .get(0)
                                    .switchover(Optional.empty(), (message, percent) -> {}))));
    await()
        .untilAsserted(
            () -> assertThat(redis(0).info("replication")).contains("state:waiting-for-sync"));
    // When
    switchover.interrupt();
    // Then
    assertThat(end.join()).isInstanceOf(InterruptedException.class);
    assertThat(drivers.get(0).role()).isEqualTo(ReplicationRole.PRIMARY);
    assertThat(redis(0).set("late", "again")).isEqualTo("OK");
  }

  @Test
  void shouldAcceptWritesUntilAReplicaIsClose() throws InterruptedException {
    // Given
    processes.get(1).freeze();
    processes.get(2).freeze();
    redis(0).set("large", LARGE);
    var messages = new LinkedBlockingQueue<String>();
    var end = new CompletableFuture<Throwable>();
    Thread.ofVirtual()
        .start(
            () ->
                end.complete(
                    catchThrowable(switchover(messages::add, SwitchoverTimeouts.DEFAULT))));
    // When
    assertThat(messages.poll(4, TimeUnit.MINUTES))
        .contains("writes continue", "db-1 is 2", "behind");
    assertThat(redis(0).set("late", "late")).isEqualTo("OK");
    processes.get(1).thaw();
    processes.get(2).thaw();
    // Then
    assertThat(end.join()).isNull();
    assertThat(drivers.get(0).role()).isEqualTo(ReplicationRole.REPLICA);
    assertThat(primaries()).isEqualTo(1);
    assertThat(onAll(redis -> redis.get("late"))).containsOnly("late");
  }

  @Test
  void shouldChooseTheCloseReplica() {
    // Given
    processes.get(1).freeze();
    redis(0).set("large", LARGE);
    // When
    var failure = catchThrowable(switchover(message -> {}, SwitchoverTimeouts.DEFAULT));
    // Then
    assertThat(failure).isNull();
    assertThat(drivers.get(2).role()).isEqualTo(ReplicationRole.PRIMARY);
  }

  @Test
  void shouldRefuseWithoutBlockingWritesWhenNoReplicaComesClose() {
    // Given
    processes.get(1).freeze();
    processes.get(2).freeze();
    redis(0).set("large", LARGE);
    List<String> messages = new ArrayList<>();
    // When
    var failure = catchThrowable(switchover(messages::add, SHORT));
    // Then
    assertThat(failure)
        .hasMessageContaining("FAILED_PRECONDITION: no replica of db-0 came close enough")
        .hasMessageContaining("db-1 is 2");
    assertThat(messages)
        .isNotEmpty()
        .allMatch(message -> message.contains("come close (writes continue)"));
  }

  @Test
  void shouldRefuseWhenRedisAbortsSoThatWritesAreNotBlockedAgain() {
    // Given
    processes.get(1).freeze();
    processes.get(2).freeze();
    redis(0).set("late", "late");
    // When
    var failure = catchThrowable(switchover(message -> {}, SHORT));
    // Then
    assertThat(failure)
        .hasMessageContaining("FAILED_PRECONDITION: Redis of db-0 aborted the switchover")
        .hasMessageContaining("db-1 is ");
    assertThat(drivers.get(0).role()).isEqualTo(ReplicationRole.PRIMARY);
    assertThat(redis(0).set("late", "again")).isEqualTo("OK");
  }

  private ThrowingCallable switchover(Consumer<String> messages, SwitchoverTimeouts timeouts) {
    var self = drivers.get(0).group();
    return () ->
        new RedisSwitchover(
                self, Optional.empty(), (message, percent) -> messages.accept(message), timeouts)
            .run();
  }

  @Test
  void shouldApplyParametersOrGiveTheReason() throws InterruptedException {
    // Given
    var desired = Map.of("maxmemory", "100mb", "maxmemory-policy", "allkeys-lru");
    // When
    var inForce = drivers.get(1).reload(desired, (message, percent) -> {});
    // Then
    assertThat(inForce).isEqualTo(desired);
    assertThat(redis(1).configGet("maxmemory")).containsEntry("maxmemory", "104857600");
    assertThatThrownBy(
            () ->
                drivers
                    .get(1)
                    .reload(
                        Map.of("maxmemory", "1mb", "maxmemory-policy", "lru"),
                        (message, percent) -> {}))
        .hasMessageContaining("FAILED_PRECONDITION")
        .hasMessageContaining("maxmemory-policy");
    assertThat(redis(1).configGet("maxmemory")).containsEntry("maxmemory", "104857600");
  }

  private void write(int number, String key) {
    var redis = redis(number);
    redis.set(key, key);
    await("replicas that have " + key)
        .ignoreExceptions()
        .until(() -> redis.waitForReplication(RealGroup.SIZE - 1, 500) == RealGroup.SIZE - 1);
  }

  private long primaries() {
    return roles().stream().filter(ReplicationRole.PRIMARY::equals).count();
  }

  private List<ReplicationRole> roles() {
    return drivers.stream().map(RedisDriver::role).toList();
  }

  private <T> List<T> onAll(Function<RedisCommands<String, String>, T> command) {
    List<T> answers = new ArrayList<>();
    for (var i = 0; i < RealGroup.SIZE; i++) {
      answers.add(command.apply(redis(i)));
    }
    return answers;
  }

  private RedisCommands<String, String> redis(int number) {
    return group.redis(number);
  }
}
