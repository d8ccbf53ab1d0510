package io.middleware.engine.e2e.testing;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/** A LoadTest on the App {@code one}, as a user makes it, whose Job runs until it is deleted. */
public final class LoadRun {
  private static final String FOREVER = "local.middleware.io/exit-code: never";
  private static final String HEALTHY = "example.com/healthy";

  private final Shop shop;
  private final String name;

  public LoadRun(Shop shop, String name) {
    this.shop = shop;
    this.name = name;
  }

  /** The account whose rights tests use, and what it may do. */
  public static void allow(Shop shop) {
    shop.apply(shop.file("k8s/samples/tester.yaml"));
  }

  /** The App is Ready, and the checks of the load hold. */
  static void deployHealthy(Shop shop) {
    allow(shop);
    shop.apply(shop.small("one"));
    shop.awaitReady("one");
    setHealthy(shop, true);
  }

  /** Whether the checks of the load hold from now on; without kubectl, between two checks. */
  static void setHealthy(Shop shop, boolean healthy) {
    shop.client
        .resources(App.class)
        .inNamespace(shop.namespace)
        .withName("one")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\": {\"annotations\": {\"%s\": \"%s\"}}}".formatted(HEALTHY, healthy));
  }

  Yaml yaml() {
    return new Yaml(
        """
        apiVersion: test.middleware.io/v1
        kind: LoadTest
        metadata: {name: %1$s, namespace: %2$s}
        spec:
          target: {apiVersion: middleware.io/v1, kind: App, name: one}
          ready:
            allOf: [{cel: "target.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')"}]
          inject: [{name: TARGET_HOST, cel: "target.metadata.name + '-sentinel-all'"}]
          workload:
          - apiVersion: batch/v1
            kind: Job
            metadata: {name: %1$s}
            spec:
              backoffLimit: 0
              template:
                metadata: {annotations: {%3$s}}
                spec:
                  restartPolicy: Never
                  containers: [{name: load, image: "redis:7.2"}]
          checks:
            every: 1s
            failureThreshold: 3
            allOf: [{cel: "target.metadata.annotations['%4$s'] == 'true'"}]
          serviceAccountName: tester
        """
            .formatted(name, shop.namespace, FOREVER, HEALTHY));
  }

  /** The same, whose Job ends by itself at once. */
  public Yaml ending(int exitCode, String words) {
    return yaml()
        .replace(
            FOREVER,
            "local.middleware.io/exit-code: \"%d\", local.middleware.io/last-words: %s"
                .formatted(exitCode, words));
  }

  public LoadRun apply(Yaml yaml) {
    shop.apply(yaml);
    return this;
  }

  LoadTest now() {
    return shop.client.resources(LoadTest.class).inNamespace(shop.namespace).withName(name).get();
  }

  LoadTestStatus status() {
    return now().getStatus();
  }

  Job job() {
    return shop.client.resources(Job.class).inNamespace(shop.namespace).withName(name).get();
  }

  /** Waits until it has ended, and is this. */
  LoadTestStatus ends(String phase) {
    return awaits(
        status -> {
          if (status.completedAt() != null && !phase.equals(status.phase())) {
            throw new AssertionError(status.phase() + ": " + status.message());
          }
          return phase.equals(status.phase());
        });
  }

  /** Waits until it was checked so often. */
  LoadTestStatus checked(int times) {
    return awaits(status -> status.checkCount() != null && status.checkCount() >= times);
  }

  LoadTestStatus awaits(Predicate<LoadTestStatus> wanted) {
    var last = new LoadTestStatus[1];
    try {
      await("LoadTest " + name)
          .atMost(Shop.PATIENCE)
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                last[0] = Optional.ofNullable(now()).map(LoadTest::getStatus).orElse(null);
                return last[0] != null && wanted.test(last[0]);
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("LoadTest %s is not as expected: %s".formatted(name, last[0]), e);
    }
    return last[0];
  }

  public void awaitGone() {
    await("LoadTest " + name + " gone").atMost(Shop.PATIENCE).until(() -> now() == null);
  }
}
