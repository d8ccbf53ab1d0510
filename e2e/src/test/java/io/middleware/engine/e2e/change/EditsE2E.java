package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.ExtraWorker;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Temporal;
import io.temporal.client.WorkflowExecutionMetadata;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Many edits or two watchers: changes still run one after the other. */
@EndToEnd
class EditsE2E {
  private final Shop shop;
  private final Temporal temporal;

  EditsE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @Test
  void shouldCarryTheLastOfFiftyEditsOutAndTellOfTheOthers() {
    // Given
    shop.apply(shop.small("busy"));
    shop.awaitReady("busy");
    // When
    var begin = System.nanoTime();
    try (var users = Executors.newFixedThreadPool(4)) {
      for (int edit = 1; edit <= 49; edit++) {
        var number = edit;
        users.submit(() -> edit("busy", 1 + number % 3, number));
      }
    }
    edit("busy", 2, 50);
    var took = Duration.ofNanos(System.nanoTime() - begin);
    var app = shop.awaitReady("busy");
    // Then
    System.out.println("50 edits took " + took.toMillis() + " ms");
    assertThat(app.getMetadata().getGeneration()).isEqualTo(51);
    assertThat(app.getStatus().ready()).isEqualTo("2/2");
    assertThat(app.getStatus().observedGeneration()).isEqualTo(51);
    await("an end that tells of superseded edits") // of one before the last, if that came late
        .untilAsserted(
            () ->
                assertThat(shop.events("busy", "ChangeSucceeded"))
                    .anySatisfy(end -> assertThat(end.getMessage()).contains("superseded")));
    await().until(() -> temporal.open(shop.namespace).isEmpty());
    assertThatRunsDoNotOverlap(temporal.runs(shop.namespace, "busy"));
  }

  @Test
  void shouldDoTheSameWithTwoWatchers() throws IOException {
    // Given
    try (var second = new SecondWatcher()) {
      var story = new Story(shop).deployed();
      second.awaitReady();
      // When
      story.upgrading();
      // Then
      story.endsWell();
      await().until(() -> temporal.open(shop.namespace).isEmpty());
      // after each edit, a watcher that is late may have one more run begin, which does nothing
      var runs = temporal.runs(shop.namespace, "cache");
      assertThat(runs).hasSizeBetween(2, 4);
      assertThatRunsDoNotOverlap(runs);
      second.awaitReady();
    }
  }

  @Test
  void shouldCarryAChangeOutAsItWasPlannedWhateverIsEditedMeanwhile() {
    // Given
    var story = new Story(shop).deployed().upgrading("interval: 1s").afterRestarts(1);
    var edit = AuditLog.fromNow();
    try {
      // When
      shop.apply(
          story
              .upgraded()
              .replace("spec:\n", "spec:\n  serviceAccountName: nobody\n")
              .replace("change: {", "change: {batchSize: 3, "));
      // Then
      story.endsWell();
      assertThat(edit.writes(shop.namespace))
          .filteredOn(write -> write.resource().equals("pods/eviction"))
          .hasSizeGreaterThan(1)
          .allSatisfy(write -> assertThat(write.impersonated()).endsWith(":middleware-deployer"));
    } finally {
      shop.apply(story.upgraded());
    }
  }

  /** Each is another one, also where the replicas are the same. */
  private void edit(String app, int replicas, int number) {
    shop.client
        .resources(App.class)
        .inNamespace(shop.namespace)
        .withName(app)
        .patch(
            PatchContext.of(PatchType.JSON),
            """
            [{"op": "replace", "path": "/spec/components/0/groups/0/replicas", "value": %d},
             {"op": "add", "path": "/spec/change", "value": {"timeouts": {"Resources": "%ds"}}}]"""
                .formatted(replicas, 300 + number));
  }

  private static void assertThatRunsDoNotOverlap(List<WorkflowExecutionMetadata> newestFirst) {
    for (int i = 1; i < newestFirst.size(); i++) {
      assertThat(newestFirst.get(i).getCloseTime())
          .isBeforeOrEqualTo(newestFirst.get(i - 1).getExecutionTime().plusMillis(1));
    }
  }

  /** A watcher that acts without holding the lease, beside the one that holds it. */
  private static final class SecondWatcher implements AutoCloseable {
    private int port;
    private Process process;

    SecondWatcher() throws IOException {
      start();
    }

    /**
     * One that ends is started again, as by Kubernetes: its connections take too long here, or
     * somebody else has taken its port.
     */
    void awaitReady() {
      await("the second watcher is ready")
          .atMost(ExtraWorker.START)
          .ignoreExceptions()
          .until(
              () -> {
                if (!process.isAlive()) {
                  start();
                }
                return Engine.readiness("http://127.0.0.1:" + port) == 200;
              });
    }

    private void start() throws IOException {
      port = Engine.freePort();
      var instance = new File(Engine.variable("INSTANCE_DIR"));
      var builder =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElse("java"),
                  "-Xmx256m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  new File(instance, "app/watcher") + "/*",
                  "io.middleware.engine.watcher.WatcherMain",
                  "--config",
                  new File(instance, "engine.yaml").getPath())
              .redirectErrorStream(true)
              .redirectOutput(new File(instance, "log/watcher-2.log"));
      builder.environment().put("KUBECONFIG", new File(instance, "watcher.kubeconfig").getPath());
      builder.environment().put("ENGINE_WATCHER_LEADER_ELECTION", "false");
      builder.environment().put("ENGINE_WATCHER_HTTP_ADDRESS", "127.0.0.1:" + port);
      process = builder.start();
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().join();
    }
  }
}
