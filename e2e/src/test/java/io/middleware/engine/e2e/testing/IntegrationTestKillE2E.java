package io.middleware.engine.e2e.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An IntegrationTest, while the worker is killed or the API server does not answer. */
@EndToEnd
@Disruptive("kills the worker, and freezes the API server")
@InTurn(1)
class IntegrationTestKillE2E {
  private final RoundTrip trip;
  private final IntegrationRun run;

  IntegrationTestKillE2E(Shop shop) {
    this.trip = new RoundTrip(shop);
    this.run = trip.run;
  }

  @BeforeEach
  void prepare() {
    trip.prepare();
  }

  /** The phases are short, so those that wait are made to. */
  @ParameterizedTest
  @ValueSource(strings = {"Applying", "Converging", "Readying", "Checking"})
  void shouldEndAsIfTheWorkerHadNotBeenKilled(String phase) {
    // Given
    run.apply(trip.yaml(RoundTrip.GOOD.replace("whole,", "whole, for: 3s,")));
    // When
    trip.awaitReached(phase);
    Engine.kill("worker");
    // Then
    assertThat(run.ends(IntegrationTestStatus.PASSED).passed()).isEqualTo(1);
    assertThat(trip.app()).isNull();
  }

  @Test
  void shouldWaitWhileTheApiServerIsAway() {
    // Given
    run.apply(trip.yaml(RoundTrip.GOOD));
    trip.awaitReached("Converging");
    // When
    Engine.freeze("kube-apiserver", Duration.ofSeconds(20));
    // Then
    assertThat(run.ends(IntegrationTestStatus.PASSED).passed()).isEqualTo(1);
  }
}
