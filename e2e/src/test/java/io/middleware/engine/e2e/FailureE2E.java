package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Something dies in the middle of an upgrade. */
@Isolated("kills processes")
class FailureE2E {
  private Shop shop;
  private Story story;

  @BeforeEach
  void open() {
    shop = new Shop();
    story = new Story(shop);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker", "watcher", "kube-apiserver"})
  void shouldFinishTheUpgradeWhenAProcessIsKilled(String process) {
    // Given
    story.deployed().upgrading().afterRestarts(2);
    // When
    Engine.dev("restart", process, "--kill");
    // Then
    story.endsWell();
  }

  @Test
  void shouldTakeEachPodOnceWhenTheApiServerIsSilentForLongerThanAHeartbeat() {
    // Given an upgrade that rests after its first pod
    try (var diary = story.deployed().diary()) {
      story.upgrading("interval: 3s");
      await("one pod made again")
          .until(() -> diary.lines().contains(Story.UPGRADE_ORDER.getFirst() + " ready"));
    }
    // When the server is deaf from before the rest ends until well after it
    Engine.freeze("kube-apiserver", Duration.ofSeconds(9));
    // Then
    story.endsWell();
  }

  @Test
  void shouldFinishTheUpgradeWhenWorkerAndWatcherAreKilledTogether() {
    // Given
    story.deployed().upgrading().afterRestarts(4);
    // When
    var worker = CompletableFuture.runAsync(() -> Engine.dev("restart", "worker", "--kill"));
    Engine.dev("restart", "watcher", "--kill");
    worker.join();
    // Then
    story.endsWell();
  }

  @Test
  void shouldCarryOutAnEditMadeWhileTemporalWasDown() throws Exception {
    // Given
    story.deployed();
    Engine.dev("stop", "temporal");
    try {
      await("watcher not ready").atMost(Duration.ofSeconds(30)).until(() -> readiness() == 503);
      // When
      story.upgrading();
      await()
          .during(Duration.ofSeconds(2))
          .until(() -> shop.status("cache").acceptedGeneration() == 1);
    } finally {
      Engine.dev("start", "temporal");
    }
    // Then
    story.endsWell();
    assertThat(readiness()).isEqualTo(200);
  }

  private static int readiness() throws IOException {
    return Engine.readiness(Engine.variable("WATCHER_URL"));
  }
}
