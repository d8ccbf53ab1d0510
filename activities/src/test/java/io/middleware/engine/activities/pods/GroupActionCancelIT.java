package io.middleware.engine.activities.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.activities.actions.ActionScene;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.plugin.ActionPods;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.proto.tool.v1.StopActionResponse;
import io.temporal.client.ActivityCanceledException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cancel of an action on the pods db-0 and db-1 of a group. */
@ExtendWith(ApiServer.class)
class GroupActionCancelIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private ActionScene scene;

  GroupActionCancelIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() throws IOException {
    scene = new ActionScene(cluster, engine);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void shouldTerminateTheActionWhenItIsCancelled() {
    // Given
    var asked = new AtomicInteger();
    scene.zero.action = to -> asked.incrementAndGet();
    var running = CompletableFuture.runAsync(() -> scene.run(ActionPods.EACH));
    cluster.await().until(() -> asked.get() == 1);
    // When
    engine.cancelled = true;
    // Then
    assertThatThrownBy(running::join).hasCauseInstanceOf(ActivityCanceledException.class);
    cluster.await().until(() -> scene.zero.cancelled.get() == 1);
    assertThat(scene.runs()).extracting(ActionRun::status).containsExactly("Cancelled");
  }

  @Test
  void shouldEndAfterTheCancelledActionHasEnded() {
    // Given
    var stops = new LinkedBlockingQueue<StreamObserver<StopActionResponse>>();
    scene.zero.action = to -> {};
    scene.zero.stop = stops::add;
    var running = CompletableFuture.runAsync(() -> scene.run(ActionPods.EACH));
    cluster.await().until(() -> !scene.zero.actionIds.isEmpty());
    engine.cancelled = true;
    // When
    cluster.await().until(() -> !stops.isEmpty());
    // Then
    assertThat(scene.zero.calls).contains("stop " + scene.zero.actionIds.getFirst());
    stops.remove().onError(Status.UNAVAILABLE.asRuntimeException());
    cluster.await().until(() -> !stops.isEmpty()); // asked again, as by a worker that reconnects
    var heartbeats = engine.heartbeats.size();
    cluster.await().until(() -> engine.heartbeats.size() > heartbeats + 2);
    assertThat(running).isNotDone();
    assertThat(scene.runs()).extracting(ActionRun::status).containsExactly("Running");
    FakeAgent.stopped(stops.remove());
    assertThatThrownBy(running::join).hasCauseInstanceOf(ActivityCanceledException.class);
    assertThat(scene.runs()).extracting(ActionRun::status).containsExactly("Cancelled");
  }

  @Test
  void shouldNotWaitForTheEndOfAnActionWhosePodIsGone() {
    // Given
    scene.zero.action = to -> {};
    scene.zero.stop = to -> {};
    var running = CompletableFuture.runAsync(() -> scene.run(ActionPods.EACH));
    cluster.await().until(() -> !scene.zero.actionIds.isEmpty());
    engine.cancelled = true;
    cluster
        .await()
        .until(() -> scene.zero.calls.stream().anyMatch(call -> call.startsWith("stop ")));
    // When
    scene.view.pods.removeIf(pod -> pod.name().equals("db-0"));
    // Then
    assertThatThrownBy(running::join).hasCauseInstanceOf(ActivityCanceledException.class);
  }
}
