package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a deletion leaves behind, and what is deleted by hand. */
@EndToEnd
class LeftBehindE2E {
  private final Shop shop;

  LeftBehindE2E(Shop shop) {
    this.shop = shop;
  }

  /** As Kubernetes does with every object: its parts go on as they are, without an owner. */
  @Test
  void shouldLeaveEverythingBehindWhenItsPartsAreOrphaned() {
    // Given
    shop.apply(shop.small("orphaned"));
    shop.awaitReady("orphaned");
    var pod = shop.pods("orphaned").getFirst().getMetadata().getUid();
    // When
    shop.kubectl(
        "", "delete", "app", "orphaned", "-n", shop.namespace, "--cascade=orphan", "--timeout=4m");
    // Then
    assertThat(shop.app("orphaned")).isNull();
    assertThat(shop.pods("orphaned").getFirst().getMetadata().getUid()).isEqualTo(pod);
    // and when it is applied again
    shop.apply(shop.small("orphaned"));
    shop.awaitReady("orphaned");
    assertThat(shop.pods("orphaned").getFirst().getMetadata().getUid()).isEqualTo(pod);
  }

  /** What a Component or Group owns goes with it. */
  @ParameterizedTest
  @CsvSource({
    "statefulset, cut-statefulset-sentinel-all",
    "group.middleware.io, cut-group-sentinel-all",
    "component.middleware.io, cut-component-sentinel"
  })
  void shouldMakeAPartAgainThatIsDeletedWhileItIsWorkedOn(String kind, String part) {
    // Given
    var name = part.substring(0, part.indexOf("-sentinel"));
    var app = shop.small(name).replace("replicas: 1", "replicas: 3");
    shop.apply(app);
    shop.awaitReady(name);
    var first = set(name).getMetadata().getUid();
    shop.apply(
        app.replace("version: \"7.0\"", "version: \"7.2\"").plus("  change: {interval: 10s}\n"));
    shop.awaitApp(name, it -> it.getStatus().change().generation() == 2);
    await().until(() -> isUpgrading(name));
    // When somebody deletes it who may write what the engine writes
    var writer = kind.equals("statefulset") ? "admin" : "worker";
    var config = Engine.variable("INSTANCE_DIR") + "/%s.kubeconfig".formatted(writer);
    shop.kubectl("", "delete", kind, part, "-n", shop.namespace, "--kubeconfig=" + config);
    // Then
    shop.awaitReady(name);
    assertThat(set(name).getMetadata().getUid()).isNotEqualTo(first);
    assertThat(shop.status(name).change().outcome()).isEqualTo("Succeeded");
  }

  private boolean isUpgrading(String app) {
    return set(app).getSpec().getTemplate().getSpec().getContainers().stream()
        .anyMatch(container -> container.getImage().contains("7.2"));
  }

  private StatefulSet set(String app) {
    return shop.client
        .apps()
        .statefulSets()
        .inNamespace(shop.namespace)
        .withName(app + "-sentinel-all")
        .get();
  }
}
