package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Something dies in the middle of an upgrade. */
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
  void shouldFinishTheUpgradeWhenWorkerAndWatcherAreKilledTogether() {
    // Given
    story.deployed().upgrading().afterRestarts(4);
    // When
    Engine.dev("stop", "worker", "--kill");
    Engine.dev("stop", "watcher", "--kill");
    Engine.dev("start", "watcher");
    Engine.dev("start", "worker");
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

  private static int readiness() throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(Engine.variable("WATCHER_URL") + "/readyz"))
            .timeout(Duration.ofSeconds(10))
            .build();
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.discarding()).statusCode();
    }
  }
}
