package io.middleware.engine.e2e.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A load on an App, while the worker is killed and the API server does not answer. */
@EndToEnd
@Disruptive("kills the worker, and freezes the API server")
@InTurn(2)
class LoadTestKillE2E {
  private static final Duration AWAY = Duration.ofSeconds(20);

  private final Shop shop;

  LoadTestKillE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void deploy() {
    LoadRun.deployHealthy(shop);
  }

  /**
   * Each check is counted once, by whichever worker, and those that nobody made are not: while the
   * API server is away, nothing is counted.
   */
  @Test
  void shouldCountExactlyWhateverIsKilledOrAway() {
    // Given
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml());
    load.checked(2);
    // When
    for (var kill = 0; kill < 3; kill++) {
      Engine.kill("worker");
      var before = counted(load);
      load.checked(before + 3);
    }
    Engine.freeze("kube-apiserver", AWAY);
    load.checked(counted(load) + 2);
    LoadRun.setHealthy(shop, false);
    // Then
    var status = load.ends(LoadTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("CheckFailed");
    assertThat(status.failCount()).isEqualTo(3);
    assertThat(status.consecutiveFailures()).isEqualTo(3);
    assertThat(status.checkCount()).isEqualTo(status.passCount() + 3);
    var seconds =
        Duration.between(
                Instant.parse(status.loadStartedAt()), Instant.parse(status.lastCheckedAt()))
            .toSeconds();
    assertThat((long) status.checkCount()).isLessThan(seconds - AWAY.toSeconds() + 2);
  }

  private static int counted(LoadRun load) {
    return Optional.ofNullable(load.status().checkCount()).orElse(0);
  }
}
