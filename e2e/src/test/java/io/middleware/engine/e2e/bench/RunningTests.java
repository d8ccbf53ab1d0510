package io.middleware.engine.e2e.bench;

import static java.util.stream.Collectors.toSet;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** IntegrationTests that run at the same time, each on an S App of its own, until closed. */
final class RunningTests implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private final Fleet fleet;
  private final Set<String> names;
  private final SharedIndexInformer<IntegrationTest> tests;

  private RunningTests(Fleet fleet, String prefix, int count) throws IOException {
    this.fleet = fleet;
    this.names = IntStream.range(0, count).mapToObj(i -> prefix + "-" + i).collect(toSet());
    this.tests =
        fleet.client.resources(IntegrationTest.class).inNamespace(fleet.namespace).inform();
    Fleet.kubectl(Yaml.read("k8s/samples/tester.yaml").replace("shop", fleet.namespace));
  }

  /** Tests that have deployed their Apps, and check each second that they stay Ready. */
  static RunningTests checking(Fleet fleet, String prefix, int count) throws IOException {
    var running = new RunningTests(fleet, prefix, count);
    for (var name : running.names) {
      var stays = "{name: stays, for: 3h, allOf: [{cel: \"%s\"}]}".formatted(ready(name));
      running.apply(name, "{count: 1}", running.step("deploy", name, "7.0", stays));
    }
    running.awaitAll(status -> status.steps().getFirst().phase().equals("Checking"));
    return running;
  }

  /**
   * Tests that upgrade their Apps, and lead them back, again and again. The Apps are there before:
   * a new one waits as long as more edits of existing ones come than the worker carries out.
   */
  static RunningTests changing(Fleet fleet, String prefix, int count) throws IOException {
    var running = new RunningTests(fleet, prefix, count);
    running.names.forEach(name -> fleet.apply(name, Shape.S, "7.0"));
    running.names.forEach(fleet::awaitReady);
    for (var name : running.names) {
      var there = running.step("there", name, "7.2", "");
      var back = running.step("back", name, "7.0", "");
      running.apply(name, "{untilFailure: true}", there + back);
    }
    running.awaitAll(status -> status.round() > 1);
    return running;
  }

  private void apply(String name, String repeat, String steps) {
    fleet.apply(
        """
        apiVersion: test.middleware.io/v1
        kind: IntegrationTest
        metadata: {name: %s, namespace: %s}
        spec:
          serviceAccountName: tester
          repeat: %s
          steps:
        """
                .formatted(name, fleet.namespace, repeat)
            + steps.indent(2));
  }

  private String step(String name, String app, String version, String checks) {
    return """
        - name: %s
          timeout: 4h
          ready: {allOf: [{cel: "%s"}]}
          checks: [%s]
          apply:
          - %s
        """
        .formatted(
            name,
            ready(app),
            checks,
            fleet.yaml(app, Shape.S, version).strip().replace("\n", "\n    "));
  }

  private static String ready(String app) {
    return ("object('App', '%1$s').status.conditions.exists(c, c.type == 'Ready' && c.status == 'True'"
            + " && c.observedGeneration == object('App', '%1$s').metadata.generation)")
        .formatted(app);
  }

  /** Waits until all are so; fails when one has ended. */
  private void awaitAll(Predicate<IntegrationTestStatus> wanted) {
    await("tests as wanted")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              requireRunning();
              return mine().stream().filter(wanted).count() == names.size();
            });
  }

  /** Fails when one has ended. */
  void requireRunning() {
    mine().stream()
        .filter(status -> status.completedAt() != null)
        .findFirst()
        .ifPresent(
            status -> {
              throw new IllegalStateException("a test has ended: " + status.message());
            });
  }

  /** Of those that have begun. */
  private List<IntegrationTestStatus> mine() {
    return tests.getStore().list().stream()
        .filter(test -> names.contains(test.getMetadata().getName()))
        .map(IntegrationTest::getStatus)
        .filter(status -> status != null && status.steps() != null)
        .toList();
  }

  /** Cancels them, and waits until they have deleted their Apps. */
  @Override
  public void close() {
    for (var name : names) {
      fleet
          .client
          .resources(IntegrationTest.class)
          .inNamespace(fleet.namespace)
          .withName(name)
          .patch(MERGE, "{\"spec\": {\"cancel\": true}}");
    }
    await("tests ended")
        .atMost(PATIENCE)
        .until(
            () ->
                mine().stream().filter(status -> status.completedAt() != null).count()
                    == names.size());
    tests.close();
  }
}
