package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.redis.RedisSwitchover.SwitchoverTimeouts;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three real Redis servers, of which one is named as the next primary. */
class RedisSuccessorIT {
  /** More than a close replica may lack. */
  private static final String LARGE = "x".repeat(2 << 20);

  private static final SwitchoverTimeouts SHORT =
      new SwitchoverTimeouts(
          Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofMillis(500));

  @TempDir private Path folder;
  private RealGroup group;
  private List<RedisDriver> drivers;

  @BeforeEach
  void start() throws IOException {
    group = new RealGroup(folder);
    drivers = group.drivers;
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void shouldSwitchOverToTheNamedReplica() throws InterruptedException {
    // Given
    group.redis(0).set("before", "before");
    // When
    var primary = drivers.get(0).switchover(Optional.of("db-2"), (message, percent) -> {});
    // Then
    assertThat(primary).contains("db-2");
    assertThat(roles())
        .containsExactly(ReplicationRole.REPLICA, ReplicationRole.REPLICA, ReplicationRole.PRIMARY);
    assertThat(group.redis(2).get("before")).isEqualTo("before");
    // and again: it is the primary already
    assertThat(drivers.get(2).switchover(Optional.of("db-2"), (message, percent) -> {}))
        .contains("db-2");
  }

  @Test
  void shouldSwitchOverToNoPodThatEnds() throws InterruptedException {
    // Given what the hook of a pod that ends does first
    group.redis(1).configSet("replica-priority", "0");
    // When
    var primary = drivers.get(0).switchover(Optional.empty(), (message, percent) -> {});
    // Then
    assertThat(primary).contains("db-2");
  }

  @Test
  void shouldRefuseToSwitchOverToAPodThatIsNoReplica() {
    assertThatThrownBy(
            () -> drivers.get(0).switchover(Optional.of("db-7"), (message, percent) -> {}))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining(
            "FAILED_PRECONDITION: pod db-7 should become the primary, but no such replica of db-0 "
                + "was in sync within 5 s");
    assertThat(drivers.get(0).role()).isEqualTo(ReplicationRole.PRIMARY);
  }

  @Test
  void shouldChooseNoOtherReplicaThanTheNamedOneThatIsBehind() {
    // Given
    group.processes.get(1).freeze();
    group.redis(0).set("large", LARGE);
    // When
    var failure =
        catchThrowable(
            () ->
                new RedisSwitchover(
                        drivers.get(0).group(),
                        Optional.of("db-1"),
                        (message, percent) -> {},
                        SHORT)
                    .run());
    // Then
    assertThat(failure)
        .hasMessageContaining(
            "FAILED_PRECONDITION: pod db-1 should become the primary, but no such")
        .hasMessageContaining("db-1 is 2");
    assertThat(drivers.get(0).role()).isEqualTo(ReplicationRole.PRIMARY);
  }

  private List<ReplicationRole> roles() {
    return drivers.stream().map(RedisDriver::role).toList();
  }
}
