package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Link;
import io.middleware.engine.agent.redis.ReplicationState.Names;
import io.middleware.engine.agent.replication.History;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LostLinkTest {
  private static final RedisPeer PRIMARY = new RedisPeer("db-0", "10.0.0.1", 6379);
  private static final ReplicationState REPLICA =
      new ReplicationState(
          false,
          new Address("10.0.0.1", 6379),
          Link.DOWN,
          new History("", "", 7, false),
          false,
          false,
          List.of(),
          Names.NONE);

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final LostLink lost = new LostLink("db-1", () -> now);

  @Test
  void shouldBePatientForAMinute() {
    lost.seen(REPLICA, PRIMARY);
    after(59);
    lost.seen(REPLICA, PRIMARY);
    assertThat(lost.isTooLong()).isFalse();
    after(1);
    lost.seen(REPLICA, PRIMARY);
    assertThat(lost.isTooLong()).isTrue();
  }

  @Test
  void shouldBeginAgainWhenTheReplicaWasConnectedOrNobodyWasPrimary() {
    lost.seen(REPLICA, PRIMARY);
    after(90);
    lost.none();
    assertThat(lost.isTooLong()).isFalse();
    lost.seen(REPLICA, PRIMARY);
    after(30);
    assertThat(lost.isTooLong()).isFalse();
  }

  private void after(int seconds) {
    now = now.plusSeconds(seconds);
  }
}
