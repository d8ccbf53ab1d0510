package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Follower;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaLagTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final long FAST = 50 * ReplicaLag.BYTES;

  private final ReplicaLag nearness = new ReplicaLag();

  @Test
  void shouldTakeAReplicaForNearThatLacksLittle() {
    // When
    look(0, FAST);
    // Then
    assertThat(nearness.isNear(follower(FAST - ReplicaLag.BYTES, 0))).isTrue();
    assertThat(nearness.isNear(follower(FAST - ReplicaLag.BYTES - 1, 0))).isFalse();
  }

  @Test
  void shouldTakeAReplicaForNearThatKeepsUpWithABusyPrimary() {
    // When
    look(0, FAST);
    look(1, 2 * FAST);
    look(2, 3 * FAST);
    look(3, 4 * FAST);
    // Then
    assertThat(nearness.isNear(follower(2 * FAST, 1))).isTrue();
    assertThat(nearness.isNear(follower(2 * FAST - 1, 1))).isFalse();
  }

  @Test
  void shouldNotTellByTimeBeforeEnoughHasPassed() {
    // When
    look(0, FAST);
    look(1, 2 * FAST);
    // Then
    assertThat(nearness.isNear(follower(FAST, 1))).isFalse();
  }

  @Test
  void shouldNotTakeAReplicaForNearThatIsSilent() {
    // When
    look(0, FAST);
    // Then
    assertThat(nearness.isNear(follower(FAST, 3))).isFalse();
  }

  private void look(int second, long offset) {
    nearness.look(
        new ReplicationState(true, Address.NONE, false, offset, false, List.of()),
        BEGIN.plusSeconds(second));
  }

  private static Follower follower(long offset, long lagSeconds) {
    return new Follower(new Address("10.0.0.7", 6379), true, offset, lagSeconds);
  }
}
