package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.middleware.engine.api.App;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A group with a Deployment beside its StatefulSet, whose pods take longer to be ready. */
@EndToEnd
public class DeploymentE2E {
  private final Shop shop;

  DeploymentE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void open() {
    shop.applyPlugin(PLUGIN);
  }

  @Test
  void shouldAwaitBothWhenMadeAndWhenUpgraded() {
    // When
    shop.apply(app("1"));
    shop.awaitApp("pair", app -> hasSucceeded(app, 1));
    // Then
    assertThat(front().getStatus().getAvailableReplicas()).isEqualTo(1);

    // When
    shop.apply(app("2"));
    shop.awaitApp("pair", app -> hasSucceeded(app, 2));
    // Then
    assertThat(front().getStatus().getUpdatedReplicas()).isEqualTo(1);
    assertThat(front().getStatus().getUnavailableReplicas()).isNull();
    assertThat(front().getStatus().getReplicas()).isEqualTo(1);
  }

  private static boolean hasSucceeded(App app, long generation) {
    var change = app.getStatus() == null ? null : app.getStatus().change();
    return change != null
        && change.generation() == generation
        && "Succeeded".equals(change.outcome());
  }

  private Deployment front() {
    return shop.client
        .resources(Deployment.class)
        .inNamespace(shop.namespace)
        .withName("pair-both-all-front")
        .get();
  }

  private Yaml app(String version) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: pair, namespace: %s}
        spec:
          plugin: {name: pair, version: 1.0.0}
          runtime: {name: pair, version: "%s"}
          components:
          - name: both
            groups: [{name: all, replicas: 1}]
        """
            .formatted(shop.namespace, version));
  }

  public static final Yaml PLUGIN =
      new Yaml(
          """
      apiVersion: middleware.io/v1
      kind: Plugin
      metadata: {name: pair-v1.0.0, namespace: middleware-system}
      spec:
        name: pair
        version: 1.0.0
        runtimes:
        - name: pair
          versions:
          - {version: "1", images: {back: "back:1", front: "front:1"}}
          - {version: "2", images: {back: "back:2", front: "front:2"}, upgradesFrom: ["1"]}
        componentTypes:
        - name: both
          templates:
          - template:
              apiVersion: apps/v1
              kind: StatefulSet
              metadata: {name: "${name}"}
              spec:
                replicas: "${replicas}"
                serviceName: "${name}"
                selector: {matchLabels: "${selectorLabels}"}
                template:
                  metadata:
                    labels: "${labels}"
                    annotations: {local.middleware.io/ready-after: 300ms}
                  spec: {containers: [{name: back, image: "${images.back}"}]}
          - template:
              apiVersion: apps/v1
              kind: Deployment
              metadata: {name: "${name}-front"}
              spec:
                replicas: 1
                selector: {matchLabels: "${selectorLabels}"}
                template:
                  metadata:
                    labels: "${labels}"
                    annotations: {local.middleware.io/ready-after: 3s}
                  spec: {containers: [{name: front, image: "${images.front}"}]}
      """);
}
