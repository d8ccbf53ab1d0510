package io.middleware.engine.e2e.change;

import static io.middleware.engine.e2e.HangingApp.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Cli;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.HangingApp;
import io.middleware.engine.e2e.Obstacles;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import java.time.Instant;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A change fails half-way. Its cause disappears, and an operator retries it. */
@EndToEnd
@Order(1)
class RetryWaysE2E {
  private static final String SENTINEL = "2-versionupgrade-sentinel";
  private static final String REDIS = "2-versionupgrade-redis-nodes";
  private static final String REQUEST = "{\"retryTaskIds\": [\"%s\"]}".formatted(REDIS);

  /** With what an operator retries a change whose run has closed. */
  enum Closed {
    SIGNAL_WITH_START,
    RESET
  }

  private final Shop shop;
  private final Temporal temporal;
  private AuditLog change;

  RetryWaysE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndReadyWhenTheRunHasClosed(Closed way) {
    // Given two pods are done, and the task of the third fails, as somebody owns the image
    var app = new HangingApp(shop, "all", 2).deployed();
    var obstacles = new Obstacles(shop);
    obstacles.own("cache-redis-nodes-all");
    change = AuditLog.fromNow();
    app.upgrade("maxRetries: 1");
    app.awaitOutcome("Failed");
    awaitNoRun();
    obstacles.remove("cache-redis-nodes-all");
    // When
    retry(way);
    // Then
    awaitSuccess();
    assertThat(change.restarts(shop.namespace))
        .containsExactly(app.pod(1), app.pod(0), "cache-redis-nodes-all-0");
    assertThat(app.versions()).containsExactly("7.2");
  }

  private void retry(Closed way) {
    switch (way) {
      case SIGNAL_WITH_START ->
          workflow(
              Cli.TEMPORAL,
              "signal-with-start",
              "--type",
              "AppChangeWorkflow",
              "--task-queue",
              "engine",
              "--signal-name",
              "changed",
              "--signal-input",
              request());
      case RESET ->
          workflow(Cli.TEMPORAL, "reset", "--type", "FirstWorkflowTask", "--reason", "retry");
    }
  }

  @Test
  void shouldEndReadyWhileTheRunIsOpen() {
    // Given of two tasks at once one fails, as somebody owns the image, and one waits for a pod
    var app = new HangingApp(shop, HangingApp.HANGING, 1).together().deployed();
    var obstacles = new Obstacles(shop);
    obstacles.own("cache-redis-nodes-all");
    change = AuditLog.fromNow();
    app.upgrade("maxRetries: 1");
    shop.awaitTask(NAME, REDIS, "Failed");
    obstacles.remove("cache-redis-nodes-all");
    // When
    workflow(Cli.TCTL, "signal", "--name", "retryTasks", "--input", REQUEST);
    // Then
    shop.awaitTask(NAME, REDIS, "Done");
    shop.awaitTask(NAME, SENTINEL, "InProgress");
    app.awaitHanging();
    app.release();
    awaitSuccess();
    assertThat(change.restarts(shop.namespace))
        .containsExactlyInAnyOrder(app.pod(0), "cache-redis-nodes-all-0");
    assertThat(temporal.runs(shop.namespace, NAME)).hasSize(2);
  }

  /** As the watcher would say it. */
  private String request() {
    var app = shop.app(NAME).getMetadata();
    return """
        {"namespace": "%s", "app": "%s", "uid": "%s", "createdAt": %d, "generation": 2, "retry": %s}"""
        .formatted(
            shop.namespace,
            NAME,
            app.getUid(),
            Instant.parse(app.getCreationTimestamp()).toEpochMilli(),
            REQUEST);
  }

  private void awaitSuccess() {
    shop.awaitApp(NAME, app -> "Succeeded".equals(app.getStatus().change().outcome()));
    shop.awaitReady(NAME);
    awaitNoRun();
  }

  private void awaitNoRun() {
    await("no workflow open").until(() -> temporal.open(shop.namespace).isEmpty());
  }

  private void workflow(Cli tool, String... arguments) {
    tool.workflow("app/" + shop.namespace + "/" + NAME, arguments);
  }
}
