package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A change does not disturb other Apps, nor the history of its own App. */
@EndToEnd
@InTurn(1)
class NeighboursE2E {
  private final Shop shop;

  NeighboursE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldNotDisturbAnotherAppOfTheSameNamespace() {
    // Given
    shop.apply(shop.small("quiet"));
    shop.apply(shop.small("busy"));
    shop.awaitReady("quiet");
    shop.awaitReady("busy");
    shop.awaitQuiet();
    var pods = versions(shop.pods("quiet"));
    var later = AuditLog.fromNow();
    // When
    shop.apply(shop.small("busy").replace("version: \"7.0\"", "version: \"7.2\""));
    shop.awaitReady("busy");
    shop.kubectl("", "delete", "app", "busy", "-n", shop.namespace, "--timeout=4m");
    // Then
    assertThat(later.writes(shop.namespace))
        .filteredOn(write -> !write.isByWatcher())
        .isNotEmpty()
        .allSatisfy(write -> assertThat(write.name()).matches("busy.*|" + Labels.METADATA));
    assertThat(versions(shop.pods("quiet"))).isEqualTo(pods);
    assertThat(Shop.condition(shop.app("quiet"), "Ready").orElseThrow().getStatus())
        .isEqualTo("True");
  }

  @Test
  void shouldCarryOutChangesOfTwoAppsSideBySide() {
    // Given
    shop.apply(shop.small("left").replace("replicas: 1", "replicas: 3"));
    shop.apply(shop.small("right").replace("replicas: 1", "replicas: 3"));
    shop.awaitReady("left");
    shop.awaitReady("right");
    // When
    var later = AuditLog.fromNow();
    for (var name : List.of("left", "right")) {
      shop.apply(
          shop.small(name)
              .replace("replicas: 1", "replicas: 3")
              .replace("version: \"7.0\"", "version: \"7.2\"")
              .plus("  change: {interval: 10s}\n"));
    }
    shop.awaitReady("left");
    shop.awaitReady("right");
    // Then
    var restarts = later.restarts(shop.namespace);
    for (var name : List.of("left", "right")) {
      assertThat(restarts.stream().filter(pod -> pod.startsWith(name)))
          .containsExactly(
              name + "-sentinel-all-1", name + "-sentinel-all-2", name + "-sentinel-all-0");
    }
    assertThat(restarts.indexOf("right-sentinel-all-1"))
        .as("the second begins before the first has ended: %s", restarts)
        .isLessThan(restarts.indexOf("left-sentinel-all-0"));
  }

  /** {@code k1-x} with {@code sentinel}, and {@code k1} with {@code x-sentinel}. */
  @Test
  void shouldKeepTwoAppsApartWhosePartsWouldHaveTheSameName() {
    // Given
    var first = shop.small("k1-x");
    var second = shop.small("k1").replace("name: sentinel", "name: x-sentinel\n    type: sentinel");
    // When both are applied in the same second
    shop.kubectl(first.text() + "---\n" + second.text(), "apply", "-f", "-");
    // Then
    var ended =
        Stream.of("k1-x", "k1")
            .map(name -> shop.awaitApp(name, app -> isEnded(app.getStatus())))
            .toList();
    var refused =
        ended.stream()
            .filter(app -> !app.getStatus().change().outcome().equals("Succeeded"))
            .toList();
    assertThat(refused).hasSize(1);
    var loser = refused.getFirst().getMetadata().getName();
    assertThat(Shop.condition(refused.getFirst(), "Stalled").orElseThrow().getMessage())
        .contains("k1-x-sentinel", "belongs to App", "App k1-x", "App k1");
    var winner = loser.equals("k1") ? "k1-x" : "k1";
    shop.awaitReady(winner);
    var pods = versions(shop.pods(winner));
    // and when the other is deleted
    shop.kubectl("", "delete", "app", loser, "-n", shop.namespace, "--timeout=4m");
    shop.awaitQuiet();
    assertThat(versions(shop.pods(winner))).isEqualTo(pods);
    assertThat(Shop.condition(shop.app(winner), "Ready").orElseThrow().getStatus())
        .isEqualTo("True");
  }

  private static boolean isEnded(AppStatus status) {
    return status != null && status.change() != null && status.change().outcome() != null;
  }

  private static List<String> versions(List<? extends HasMetadata> objects) {
    return objects.stream()
        .map(o -> o.getMetadata().getUid() + "@" + o.getMetadata().getResourceVersion())
        .sorted()
        .toList();
  }
}
