package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.temporal.client.WorkflowExecutionMetadata;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many edits, many watchers: one change after the other. */
class EditsE2E {
  private Shop shop;
  private Temporal temporal;

  @BeforeEach
  void open() {
    shop = new Shop();
    temporal = new Temporal();
  }

  @AfterEach
  void close() {
    shop.close();
    temporal.close();
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
        var replicas = edit + 1;
        users.submit(() -> replicas("busy", replicas));
      }
    }
    replicas("busy", 2);
    var took = Duration.ofNanos(System.nanoTime() - begin);
    var app = shop.awaitReady("busy");
    // Then
    System.out.println("50 edits took " + took.toMillis() + " ms");
    assertThat(app.getMetadata().getGeneration()).isEqualTo(51);
    assertThat(app.getStatus().ready()).isEqualTo("2/2");
    assertThat(app.getStatus().observedGeneration()).isEqualTo(51);
    assertThat(app.getStatus().change().message()).contains("superseded");
    await().until(() -> temporal.open(shop.namespace).isEmpty());
    assertThatRunsDoNotOverlap(temporal.runs(shop.namespace, "busy"));
  }

  @Test
  void shouldDoTheSameWithTwoWatchers() throws IOException {
    // Given
    var second = secondWatcher();
    try {
      var story = new Story(shop);
      // When
      story.deployed().upgrading();
      // Then
      story.endsWell();
      await().until(() -> temporal.open(shop.namespace).isEmpty());
      assertThat(temporal.runs(shop.namespace, "cache")).hasSize(2);
      assertThat(second.isAlive()).isTrue();
    } finally {
      second.destroy();
      second.onExit().join();
    }
  }

  private void replicas(String app, int replicas) {
    shop.client
        .resources(App.class)
        .inNamespace(shop.namespace)
        .withName(app)
        .patch(
            PatchContext.of(PatchType.JSON),
            "[{\"op\":\"replace\",\"path\":\"/spec/components/0/groups/0/replicas\",\"value\":%d}]"
                .formatted(replicas));
  }

  /** A watcher that acts without holding the lease, beside the one that holds it. */
  private static Process secondWatcher() throws IOException {
    var instance = new File(Engine.variable("INSTANCE_DIR"));
    var builder =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-cp",
                new File(instance, "app/watcher") + "/*",
                "io.middleware.engine.watcher.WatcherMain",
                "--config",
                new File(instance, "engine.yaml").getPath())
            .redirectErrorStream(true)
            .redirectOutput(new File(instance, "log/watcher-2.log"));
    builder.environment().put("KUBECONFIG", new File(instance, "watcher.kubeconfig").getPath());
    builder.environment().put("ENGINE_WATCHER_LEADER_ELECTION", "false");
    builder.environment().put("ENGINE_WATCHER_HTTP_ADDRESS", "127.0.0.1:0");
    return builder.start();
  }

  private static void assertThatRunsDoNotOverlap(List<WorkflowExecutionMetadata> newestFirst) {
    for (int i = 1; i < newestFirst.size(); i++) {
      assertThat(newestFirst.get(i).getCloseTime())
          .isBeforeOrEqualTo(newestFirst.get(i - 1).getExecutionTime().plusMillis(1));
    }
  }
}
