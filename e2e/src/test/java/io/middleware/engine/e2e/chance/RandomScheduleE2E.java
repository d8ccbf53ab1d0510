package io.middleware.engine.e2e.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Trials;
import org.junit.jupiter.api.Test;

/** Whatever happens, an App ends as its newest spec says; {@code dev/bench --soak} has more. */
@EndToEnd
@Disruptive("kills processes and restores Temporal's data")
@InTurn(1)
class RandomScheduleE2E {
  private static final int SCHEDULES = Trials.of(20, 100);

  private final Shop shop;
  private final Temporal temporal;

  RandomScheduleE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @Test
  void shouldEndAsTheNewestSpecSays() {
    assertThat(new RandomSchedules(shop, temporal, SCHEDULES, 1).run()).isEmpty();
  }
}
