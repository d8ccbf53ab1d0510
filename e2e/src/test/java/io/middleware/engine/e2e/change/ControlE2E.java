package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Yaml;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What users ask of a change with kubectl alone. */
@EndToEnd
class ControlE2E {
  private static final String REFUSED = "ControlRefused";

  private final Shop shop;
  private final Story story;

  ControlE2E(Shop shop) {
    this.shop = shop;
    this.story = new Story(shop);
  }

  @Test
  void shouldCancelTheWholeChangeEvenWhenAskedTwice() {
    // Given
    story.deployed();
    var upgrade = AuditLog.fromNow();
    shop.apply(slowly().replace("onCancel: Rollback", "onCancel: Hold"));
    story.afterRestarts(1);
    // When
    annotate(Labels.CANCEL_CONTROL, "{}");
    annotate(Labels.CANCEL_CONTROL, "{}");
    awaitOutcome("Cancelled");
    // Then
    awaitAnswered(Labels.CANCEL_CONTROL);
    assertThat(awaitEvent("CancelRequested").getMessage()).contains("generation 2");
    try (var temporal = new Temporal()) {
      await().until(() -> temporal.open(shop.namespace).isEmpty());
    }
    assertThatNothingMoves(upgrade);
    assertThat(upgrade.restarts(shop.namespace)).hasSizeLessThan(Story.UPGRADE_ORDER.size());
  }

  @Test
  void shouldRefuseJunkWhenNothingRuns() {
    // Given
    shop.apply(shop.small("cache"));
    shop.awaitReady("cache");
    var before = shop.app("cache").getMetadata().getGeneration();
    // When
    annotate(Labels.CANCEL_CONTROL, "{}");
    annotate(Labels.RETRY_CONTROL, "x".repeat(100_000));
    // Then
    awaitAnswered(Labels.CANCEL_CONTROL);
    awaitAnswered(Labels.RETRY_CONTROL);
    await("refusals")
        .untilAsserted(
            () ->
                assertThat(messages(REFUSED))
                    .anyMatch(message -> message.startsWith("no change is running"))
                    .anyMatch(
                        message -> message.contains("has 100000 characters, more than 16384")));
    assertThat(shop.kubectl("", "get", "events", "-n", shop.namespace))
        .contains("ControlRefused")
        .doesNotContain("<unknown>");
    assertThat(shop.app("cache").getMetadata().getGeneration()).isEqualTo(before);
    assertThat(shop.status("cache").change().outcome()).isEqualTo("Succeeded");
  }

  @Test
  void shouldRetryOnlyWhatFailedWhenItsCauseIsGone() {
    // Given
    story.deployed();
    agents("agent.local.middleware.io/fault=unknown-pod");
    story.upgrading();
    awaitOutcome("Failed");
    shop.awaitTask("cache", "2-versionupgrade-redis-nodes", "Failed");
    agents("agent.local.middleware.io/fault-");
    // When
    annotate(Labels.RETRY_CONTROL, "{\"retryTaskIds\": [\"2-versionupgrade-redis-nodes\"]}");
    awaitOutcome("Succeeded");
    // Then
    awaitAnswered(Labels.RETRY_CONTROL);
    assertThat(awaitEvent("RetryRequested").getMessage())
        .contains("a new run of generation 2 begins");
    story.endsWell();
  }

  private Yaml slowly() {
    return story.upgraded().replace("change: {", "change: {interval: 2s, ");
  }

  private void annotate(String annotation, String value) {
    shop.annotate("cache", annotation, value);
  }

  private void agents(String annotation) {
    shop.annotatePods(annotation, "-l", "middleware.io/component=redis-nodes");
  }

  private void awaitOutcome(String outcome) {
    shop.awaitApp("cache", app -> outcome.equals(app.getStatus().change().outcome()));
  }

  private void awaitAnswered(String annotation) {
    shop.awaitApp(
        "cache",
        app -> {
          var annotations = app.getMetadata().getAnnotations();
          return annotations == null || !annotations.containsKey(annotation);
        });
  }

  private Event awaitEvent(String reason) {
    await("event " + reason).until(() -> !shop.events("cache", reason).isEmpty());
    return shop.events("cache", reason).getFirst();
  }

  private List<String> messages(String reason) {
    return shop.events("cache", reason).stream().map(Event::getMessage).toList();
  }

  private void assertThatNothingMoves(AuditLog upgrade) {
    var before = upgrade.restarts(shop.namespace);
    sleep(Duration.ofSeconds(3));
    assertThat(upgrade.restarts(shop.namespace)).isEqualTo(before);
  }

  private static void sleep(Duration duration) {
    await().pollDelay(duration).until(() -> true);
  }
}
