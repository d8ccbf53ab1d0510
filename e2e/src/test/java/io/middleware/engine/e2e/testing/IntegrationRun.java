package io.middleware.engine.e2e.testing;

import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.StepStatus;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/** An IntegrationTest that upgrades an App and leads it back, as a user makes it. */
public final class IntegrationRun {
  /** Of some rounds, each of two or three changes. */
  private static final Duration PATIENCE = Shop.PATIENCE.multipliedBy(2);

  private final Shop shop;
  private final String name;

  public IntegrationRun(Shop shop, String name) {
    this.shop = shop;
    this.name = name;
  }

  /** A condition that is true when the last edit of the App is carried out. */
  static String ready(String app) {
    return ("object('App', '%1$s').status.conditions.exists(c, c.type == 'Ready' && c.status == 'True'"
            + " && c.observedGeneration == object('App', '%1$s').metadata.generation)")
        .formatted(app);
  }

  /** A test of these steps, in YAML. */
  public Yaml yaml(String steps) {
    return new Yaml(
        """
        apiVersion: test.middleware.io/v1
        kind: IntegrationTest
        metadata: {name: %s, namespace: %s}
        spec:
          serviceAccountName: tester
          steps:
        """
                .formatted(name, shop.namespace)
            + steps.indent(2));
  }

  /** A step that has this App Ready, then checks it. */
  public static String step(String name, Yaml app, String checks) {
    return """
        - name: %s
          timeout: 5m
          ready: {allOf: [{cel: "%s"}]}
          checks: [%s]
          apply:
        %s"""
        .formatted(name, ready(nameOf(app)), checks, item(app).indent(2));
  }

  private static String nameOf(Yaml app) {
    return app.text().replaceFirst("(?s).*?metadata: \\{name: ([^,}]+).*", "$1");
  }

  private static String item(Yaml manifest) {
    return "- " + manifest.text().strip().replace("\n", "\n  ") + "\n";
  }

  public IntegrationRun apply(Yaml yaml) {
    shop.apply(yaml);
    return this;
  }

  public IntegrationTest now() {
    return shop.client
        .resources(IntegrationTest.class)
        .inNamespace(shop.namespace)
        .withName(name)
        .get();
  }

  String workflowId() {
    return "test/%s/%s".formatted(shop.namespace, name);
  }

  /** Waits until it has ended, and is this. */
  public IntegrationTestStatus ends(String phase) {
    return ends(phase, PATIENCE);
  }

  public IntegrationTestStatus ends(String phase, Duration patience) {
    return awaits(
        patience,
        status -> {
          if (status.completedAt() != null && !phase.equals(status.phase())) {
            throw new AssertionError(status.phase() + ": " + status.message());
          }
          return phase.equals(status.phase());
        });
  }

  /** Waits until this step is in this phase. */
  IntegrationTestStatus isIn(String step, String phase) {
    return awaits(status -> phaseOf(status, step).equals(Optional.of(phase)));
  }

  public static Optional<String> phaseOf(IntegrationTestStatus status, String step) {
    return Optional.ofNullable(status.steps()).stream()
        .flatMap(steps -> steps.stream())
        .filter(it -> it.name().equals(step))
        .map(StepStatus::phase)
        .findFirst();
  }

  IntegrationTestStatus awaits(Predicate<IntegrationTestStatus> wanted) {
    return awaits(PATIENCE, wanted);
  }

  public IntegrationTestStatus awaits(Duration patience, Predicate<IntegrationTestStatus> wanted) {
    var last = new IntegrationTestStatus[1];
    try {
      await("IntegrationTest " + name)
          .atMost(patience)
          .pollInterval(Duration.ofMillis(100))
          .ignoreExceptions()
          .until(
              () -> {
                last[0] = Optional.ofNullable(now()).map(IntegrationTest::getStatus).orElse(null);
                return last[0] != null && wanted.test(last[0]);
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "IntegrationTest %s is not as expected: %s".formatted(name, last[0]), e);
    }
    return last[0];
  }
}
