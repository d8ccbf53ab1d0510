package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.redis.SentinelServer.LostQuorum;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LostQuorumTest {
  private static final Instant START = Instant.parse("2026-11-28T00:00:00Z");
  private static final Optional<String> TOO_FEW = Optional.of("NOQUORUM 1 usable Sentinels");

  private final LostQuorum quorum = new LostQuorum();

  @Test
  void shouldGiveSentinelsTheTimeToGreetEachOther() {
    assertThat(after(0, TOO_FEW)).isEmpty();
    assertThat(after(14, TOO_FEW)).isEmpty();
    assertThat(after(15, TOO_FEW)).isEqualTo(TOO_FEW);
    assertThat(after(16, Optional.empty())).isEmpty();
    assertThat(after(17, TOO_FEW)).isEmpty();
  }

  private Optional<String> after(int seconds, Optional<String> said) {
    return quorum.lasting("db", said, START.plusSeconds(seconds));
  }
}
