package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Trials;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whatever people do, and whatever happens meanwhile: what a replica or the disk has confirmed is
 * there afterwards, or the step stands still and says why.
 */
@EndToEnd
@InTurn(2)
class ConfirmedDataE2E {
  private static final int CASES = Trials.of(8, 1000);
  private static final int TOGETHER = 4;
  private static final long FIRST_SEED = Long.getLong("first.seed", 1);

  private final Shop shop;
  private final AtomicLong next = new AtomicLong(FIRST_SEED);
  private final Collection<String> failures = new ConcurrentLinkedQueue<>();

  ConfirmedDataE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldLoseNothingThatWasConfirmed() {
    // Given
    DeployedRedisGroup.assumeReal();
    var plugin = shop.file("plugins/redis/plugin.yaml");
    Stream.of(plugin, RedisLife.newer(plugin)).forEach(shop::applyPlugin);
    System.out.printf("%d cases, first seed %d%n", CASES, FIRST_SEED);
    // When
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < TOGETHER; i++) {
        threads.submit(this::liveOneAfterTheOther);
      }
    }
    // Then
    assertThat(List.copyOf(failures)).isEmpty();
  }

  private void liveOneAfterTheOther() {
    for (long seed = next.getAndIncrement();
        seed < FIRST_SEED + CASES;
        seed = next.getAndIncrement()) {
      var chosen = RedisCase.of(seed);
      var life = new RedisLife(shop, chosen);
      try {
        var lost = life.live();
        System.out.printf("%s: %s%n", chosen, life.told());
        assertThat(lost).as("lost keys").isEmpty();
      } catch (AssertionError | RuntimeException e) {
        var failure = "%s: %s%n%s".formatted(chosen, life.told(), e);
        System.out.println("FAILED " + failure);
        failures.add(failure);
      }
    }
  }
}
