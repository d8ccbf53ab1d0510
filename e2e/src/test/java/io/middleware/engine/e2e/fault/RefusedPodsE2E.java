package io.middleware.engine.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.middleware.engine.api.App;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.change.DeploymentE2E;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kubernetes creates no pod, of a StatefulSet or a Deployment: the App says so, and why. */
@EndToEnd
class RefusedPodsE2E {
  private static final String OF_SET = "pod %s-both-all-0: cannot be created: ";
  private static final String OF_DEPLOYMENT =
      "Deployment %s-both-all-front: pods cannot be created";
  private static final String CAUSE = "exceeded quota: full";

  private final Shop shop;

  RefusedPodsE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void fillTheQuota() {
    shop.applyPlugin(DeploymentE2E.PLUGIN);
    shop.kubectl("", "create", "quota", "full", "-n", shop.namespace, "--hard=pods=0");
  }

  @Test
  void shouldSayWhichPodsAQuotaRefuses() {
    // Given
    shop.apply(app("brief", "20s"));
    shop.apply(app("patient", "10m"));
    // When Then
    shop.awaitApp("patient", app -> names("patient", progress(app)));
    assertThat(shop.events("patient", "PodNotCreated"))
        .extracting(Event::getMessage)
        .hasSize(2)
        .allSatisfy(message -> assertThat(message).contains(CAUSE));
    var failed = shop.awaitApp("brief", app -> "Failed".equals(app.getStatus().phase()));
    var error = failed.getStatus().tasks().getFirst().error();
    assertThat(error.reason()).isEqualTo("TaskTimedOut");
    assertThat(names("brief", error.message())).as(error.message()).isTrue();
    // and when there is room
    shop.kubectl("", "delete", "quota", "full", "-n", shop.namespace);
    assertThat(progress(shop.awaitReady("patient"))).isEmpty();
  }

  private static boolean names(String app, String text) {
    return text.contains(OF_SET.formatted(app))
        && text.contains(OF_DEPLOYMENT.formatted(app))
        && text.contains(CAUSE);
  }

  private static String progress(App app) {
    return Optional.ofNullable(app.getStatus())
        .flatMap(status -> Optional.ofNullable(status.change()))
        .flatMap(change -> Optional.ofNullable(change.progress()))
        .orElse("");
  }

  private Yaml app(String name, String limit) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: %s, namespace: %s}
        spec:
          plugin: {name: pair, version: 1.0.0}
          runtime: {name: pair, version: "1"}
          components:
          - name: both
            groups: [{name: all, replicas: 1}]
          change: {maxRetries: 1, timeouts: {Provision: %s}}
        """
            .formatted(name, shop.namespace, limit));
  }
}
