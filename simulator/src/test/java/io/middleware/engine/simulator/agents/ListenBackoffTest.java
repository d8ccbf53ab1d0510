package io.middleware.engine.simulator.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ListenBackoffTest {
  @Test
  void shouldWaitTwiceAsLongEachTimeUpToALimit() {
    var backoff = new ListenBackoff();

    assertThat(LongStream.generate(backoff::nextMillis).limit(9))
        .containsExactly(50L, 100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L);

    backoff.reset();
    assertThat(backoff.nextMillis()).isEqualTo(50);
  }
}
