package io.middleware.engine.e2e;

import static io.middleware.engine.e2e.HangingApp.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An upgrade hangs, as its image cannot be pulled: a corrected edit overtakes it. */
@EndToEnd
@Measured
class OvertakeE2E {
  private static final Duration IN_FORCE = Duration.ofSeconds(5);

  private final Shop shop;
  private final Temporal temporal;
  private HangingApp app;

  OvertakeE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @BeforeEach
  void open() {
    app = new HangingApp(shop, HangingApp.HANGING, 2).deployed();
    app.upgrade("");
    app.awaitHanging();
  }

  @Test
  void shouldBeInForceAtOnceWhenTheEditSupersedes() {
    // When
    var begin = System.nanoTime();
    shop.apply(app.fixed("onNewChange: Supersede"));
    awaitPodOfTheCorrection();
    var took = Duration.ofNanos(System.nanoTime() - begin);
    // Then
    System.out.println("the corrected edit was in force after " + took.toMillis() + " ms");
    assertThat(took).isLessThan(IN_FORCE);
    assertThatItEndsWell();
  }

  @Test
  void shouldSayWhatToDoWhenTheEditWaits() {
    // Given
    shop.apply(app.fixed("onNewChange: Wait"));
    var waiting = shop.awaitApp(NAME, a -> Shop.condition(a, "PendingChange").isPresent());
    var message = Shop.condition(waiting, "PendingChange").orElseThrow().getMessage();
    assertThat(message).contains("generation 3 starts when the change of generation 2 ends");
    // When
    Engine.run(List.of("sh", "-c", message.substring(message.indexOf("kubectl annotate"))));
    // Then
    assertThatItEndsWell();
  }

  /** The pod that hung has been made again, from the corrected template. */
  private void awaitPodOfTheCorrection() {
    await("pod of the corrected edit")
        .atMost(Shop.PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                shop.pods(NAME).stream()
                    .filter(pod -> pod.getMetadata().getName().equals(app.pod(1)))
                    .anyMatch(
                        pod ->
                            !pod.getMetadata()
                                .getAnnotations()
                                .containsKey("local.middleware.io/fault")));
  }

  private void assertThatItEndsWell() {
    var ready = shop.awaitReady(NAME);
    assertThat(ready.getStatus().change().generation()).isEqualTo(3);
    assertThat(Shop.condition(ready, "PendingChange")).isEmpty();
    assertThat(app.versions()).containsExactly("7.2");
    await().until(() -> temporal.open(shop.namespace).isEmpty());
  }
}
