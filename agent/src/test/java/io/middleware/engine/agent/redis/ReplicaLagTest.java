package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Follower;
import io.middleware.engine.agent.redis.ReplicationState.Link;
import io.middleware.engine.agent.redis.ReplicationState.Names;
import io.middleware.engine.agent.replication.History;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaLagTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final long FAST = 50 * ReplicaLag.CLOSE_BYTES;

  private final ReplicaLag lag = new ReplicaLag();

  @Test
  void shouldBeCloseWithAFewMissingBytes() {
    // When
    record(0, FAST);
    // Then
    assertThat(lag.isClose(follower(FAST - ReplicaLag.CLOSE_BYTES, 0))).isTrue();
    assertThat(lag.isClose(follower(FAST - ReplicaLag.CLOSE_BYTES - 1, 0))).isFalse();
  }

  @Test
  void shouldBeCloseWhenItKeepsUpWithABusyPrimary() {
    // When
    record(0, FAST);
    record(1, 2 * FAST);
    record(2, 3 * FAST);
    record(3, 4 * FAST);
    // Then
    assertThat(lag.isClose(follower(2 * FAST, 1))).isTrue();
    assertThat(lag.isClose(follower(2 * FAST - 1, 1))).isFalse();
  }

  @Test
  void shouldNotDecideByTimeTooEarly() {
    // When
    record(0, FAST);
    record(1, 2 * FAST);
    // Then
    assertThat(lag.isClose(follower(FAST, 1))).isFalse();
  }

  @Test
  void shouldNotBeCloseWithoutAReport() {
    // When
    record(0, FAST);
    // Then
    assertThat(lag.isClose(follower(FAST, 3))).isFalse();
  }

  private void record(int second, long offset) {
    lag.record(
        new ReplicationState(
            true,
            Address.NONE,
            Link.DOWN,
            new History("", "", offset, false),
            false,
            false,
            List.of(),
            Names.NONE),
        BEGIN.plusSeconds(second));
  }

  private static Follower follower(long offset, long lagSeconds) {
    return new Follower(new Address("10.0.0.7", 6379), true, offset, lagSeconds);
  }
}
