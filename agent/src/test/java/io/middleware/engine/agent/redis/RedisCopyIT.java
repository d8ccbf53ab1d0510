package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.KillArgs;
import io.middleware.engine.agent.replication.ReplicationMark;
import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which copy real Redis servers go on with; with append-only files they forget their offset. */
class RedisCopyIT {
  @TempDir private Path folder;
  private RealGroup group;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    group = new RealGroup(folder, Optional.empty(), "--appendonly", "yes");
    group.drivers.get(0).switchover(Optional.of("db-2"), (message, percent) -> {});
    group.awaitPrimary(2);
    write("early");
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void shouldGoOnWithTheCopyThatHadAllWritesAfterAStartOfAllPods() {
    // Given number 0, whose link cannot come up again
    breakLink(0);
    write("late");
    // When
    group.processes.forEach(RealRedis::stop);
    group.processes.forEach(RealRedis::start);
    // Then
    group.awaitPrimary(2);
    awaitOnAll("late");
  }

  @Test
  void shouldGoOnWithAReplicaThatFollowedToTheEndWhenThePrimaryIsEmpty() throws IOException {
    // Given
    breakLink(0);
    write("late");
    group.processes.forEach(RealRedis::stop);
    group.processes.get(2).removeData();
    // When
    group.processes.forEach(RealRedis::start);
    // Then
    group.awaitPrimary(1);
    awaitOnAll("late");
  }

  @Test
  void shouldLeaveTheOldDataOfPodsThatWereRemoved() throws IOException {
    // Given a group of three that shrinks to one, whose Redis has forgotten its history
    stop();
    group = new RealGroup(folder.resolve("shrunk"));
    group.redis(0).set("early", "x".repeat(100_000));
    group.redis(0).waitForReplication(2, 5_000);
    group.processes.get(2).stop();
    group.processes.get(1).stop();
    group.expected.set(1);
    group.redis(0).configSet("appendonly", "yes");
    await().until(() -> group.redis(0).info("persistence").contains("aof_rewrite_in_progress:0"));
    group.processes.get(0).kill();
    group.processes.set(
        0, RealRedis.of(group.peers.get(0), folder.resolve("shrunk"), "--appendonly", "yes"));
    await()
        .ignoreExceptions()
        .until(() -> group.redis(0).set("late", "late"), answer -> answer.equals("OK"));
    // When it is started with three again
    group.processes.get(0).stop();
    group.expected.set(RealGroup.SIZE);
    group.processes.forEach(RealRedis::start);
    // Then
    group.awaitPrimary(0);
    awaitOnAll("late");
  }

  /** Two clean ends, and one of a process that was killed after its last snapshot. */
  @Test
  void shouldNotTakeASnapshotThatBecomesALogForANewerOneThanItIs() throws IOException {
    // Given a primary whose snapshot lacks the last write, which the others have
    stop();
    var begun = folder.resolve("snapshots");
    group = new RealGroup(begun);
    group.redis(0).set("early", "early");
    group.redis(0).save();
    group.redis(0).set("late", "x".repeat(100_000));
    await().ignoreExceptions().until(() -> group.redis(0).waitForReplication(2, 500) == 2);
    await()
        .untilAsserted(
            () ->
                assertThat(new MarkFile(Optional.of(begun.resolve("db-0")), "shop/db").read())
                    .hasValueSatisfying(mark -> assertThat(mark.offset()).isGreaterThan(100_000)));
    group.processes.get(0).kill();
    group.processes.get(1).stop();
    group.processes.get(2).stop();
    // When all start with a log of which the snapshot is the base, as the container does it
    for (var i = 0; i < RealGroup.SIZE; i++) {
      var data = begun.resolve("db-" + i);
      var log = Files.createDirectories(data.resolve("appendonlydir"));
      Files.copy(data.resolve("dump.rdb"), log.resolve("appendonly.aof.1.base.rdb"));
      Files.copy(data.resolve("dump.rdb"), data.resolve(".log-base"));
      Files.writeString(
          log.resolve("appendonly.aof.manifest"), "file appendonly.aof.1.base.rdb seq 1 type b\n");
      group.processes.set(i, RealRedis.of(group.peers.get(i), begun, "--appendonly", "yes"));
    }
    // Then
    group.awaitPrimary(1);
    for (var i = 0; i < RealGroup.SIZE; i++) {
      var redis = group.redis(i);
      await().untilAsserted(() -> assertThat(redis.exists("late")).isOne());
    }
    assertThat(begun.resolve("db-0").resolve(".log-base")).doesNotExist();
  }

  @Test
  void shouldMarkTheCopyOfEachPodOnItsVolume() {
    await()
        .atMost(Duration.ofMinutes(4))
        .untilAsserted(
            () -> {
              assertThat(marks())
                  .extracting(ReplicationMark::lineage)
                  .containsOnly(marks().getFirst().lineage());
              assertThat(marks())
                  .extracting(ReplicationMark::epoch)
                  .containsOnly(marks().getFirst().epoch())
                  .allMatch(epoch -> epoch > 1);
              assertThat(marks())
                  .extracting(ReplicationMark::standing)
                  .containsExactly(Standing.FOLLOWING, Standing.FOLLOWING, Standing.PRIMARY);
              assertThat(marks()).isEqualTo(reported());
            });
  }

  @Test
  void shouldNotBeReadyWithoutALinkForAMinute() {
    // Given a second agent of number 0, whose time is ours
    var now = new AtomicReference<>(Instant.now());
    var membership =
        new GroupMembership(group.drivers.get(0).group(), () -> file("db-0"), now::get, true);
    breakLink(0);
    assertThat(membership.maintain()).isTrue();
    // When
    now.set(now.get().plus(LostLink.PATIENCE));
    // Then
    assertThat(membership.maintain()).isFalse();
    // and ready again
    group.redis(0).configSet("masteruser", "");
    group.redis(0).configSet("masterauth", "");
    await().atMost(Duration.ofMinutes(4)).until(membership::maintain);
  }

  private MarkFile file(String pod) {
    return new MarkFile(Optional.of(folder.resolve(pod)), "shop/db");
  }

  private List<ReplicationMark> marks() {
    return group.drivers.stream().map(one -> file(one.group().pod()).read().orElseThrow()).toList();
  }

  private List<ReplicationMark> reported() {
    return group.drivers.stream().map(one -> one.group().own().mark()).toList();
  }

  private void breakLink(int number) {
    group.redis(number).configSet("masteruser", "nobody");
    group.redis(number).configSet("masterauth", "wrong");
    group.redis(number).clientKill(KillArgs.Builder.typeMaster());
    await().untilAsserted(() -> assertThat(info(number)).contains("master_link_status:down"));
  }

  private void write(String key) {
    group.redis(2).set(key, key);
  }

  private String info(int number) {
    return group.redis(number).info("replication");
  }

  private void awaitOnAll(String key) {
    for (var i = 0; i < RealGroup.SIZE; i++) {
      var number = i;
      await()
          .atMost(Duration.ofMinutes(4))
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(group.redis(number).get(key)).isEqualTo(key));
    }
  }
}
