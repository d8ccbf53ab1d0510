package io.middleware.engine.activities.actions;

import static io.middleware.engine.activities.actions.HookScene.actions;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static io.middleware.engine.cluster.agents.FakeAgent.endsWith;
import static io.middleware.engine.cluster.agents.FakeAgent.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.grpc.Status;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.plugin.FinalHook;
import io.middleware.engine.api.plugin.Hooks;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.render.SampleGroups;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A hook on the pods db-0 and db-1 of a group, whose agents listen. */
@ExtendWith(ApiServer.class)
class GroupHookIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private HookScene scene;

  GroupHookIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() throws IOException {
    scene = new HookScene(cluster, engine);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void shouldRunOnEachPodInTheAgentsOrderWithTheDefaults() {
    // Given
    scene.group();
    scene.zero.order = List::reversed;
    scene.one.order = List::reversed;
    // When
    scene.run(HookPoint.AFTER_UPGRADE, "save", "step-1");
    // Then
    assertThat(actions(scene.one)).containsExactly("run save {keep=3}");
    assertThat(actions(scene.zero)).containsExactly("run save {keep=3}");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void shouldBeTheSameToTheAgentsWhenItIsRepeatedAndAnotherOneInAnotherAttempt() {
    // Given
    scene.group();
    // When
    scene.run(HookPoint.AFTER_UPGRADE, "save", "step-1");
    scene.run(HookPoint.AFTER_UPGRADE, "save", "step-1");
    scene.run(HookPoint.AFTER_UPGRADE, "save", "step-2");
    // Then
    assertThat(scene.zero.actionIds).hasSize(3);
    assertThat(scene.zero.actionIds.get(1)).isEqualTo(scene.zero.actionIds.get(0));
    assertThat(scene.zero.actionIds.get(2)).isNotEqualTo(scene.zero.actionIds.get(0));
    assertThat(scene.one.actionIds).doesNotContainAnyElementsOf(scene.zero.actionIds);
  }

  @Test
  void shouldNameHookActionAndPodWhenItFails() {
    // Given
    scene.group();
    scene.zero.action = endsWith(3, "connects\nNOAUTH needed\n\n");
    // When Then
    assertFails(
        HookPoint.AFTER_UPGRADE,
        "hook afterUpgrade: action save on pod db-0 failed with exit code 3: NOAUTH needed; no further pod of group g was asked");
    assertThat(actions(scene.one)).isEmpty();
  }

  @Test
  void shouldFailWhenTheAgentRefuses() {
    // Given
    scene.group();
    scene.zero.action = refuses("not now");
    // When Then
    assertFails(HookPoint.BEFORE_UPGRADE, "hook beforeUpgrade: the agent of pod db-0 ", "not now");
  }

  @Test
  void shouldSayWhatItWaitsFor() {
    // Given
    scene.group();
    scene.zero.action = to -> to.onError(Status.UNAVAILABLE.asRuntimeException());
    // When
    var running =
        CompletableFuture.runAsync(() -> scene.run(HookPoint.AFTER_UPGRADE, "save", "step-1"));
    cluster
        .await()
        .until(
            () ->
                engine.heartbeats.stream()
                    .anyMatch(
                        it ->
                            it.startsWith("pod db-0: the agent of pod db-0 ")
                                && it.endsWith("(hook afterUpgrade)")));
    // Then
    scene.zero.action = endsWith(0, "");
    running.join();
    assertThat(scene.zero.actionIds)
        .hasSizeGreaterThan(1)
        .containsOnly(scene.zero.actionIds.getFirst());
  }

  @Test
  void shouldTerminateTheActionWhenItIsCancelled() {
    // Given
    scene.group();
    var asked = new AtomicInteger();
    scene.zero.action = to -> asked.incrementAndGet();
    var running =
        CompletableFuture.runAsync(() -> scene.run(HookPoint.AFTER_UPGRADE, "save", "step-1"));
    cluster.await().until(() -> asked.get() == 1);
    // When
    engine.cancelled = true;
    // Then
    assertThatThrownBy(running::join).hasCauseInstanceOf(ActivityCanceledException.class);
    cluster.await().until(() -> scene.zero.cancelled.get() == 1);
  }

  @Test
  void shouldLeaveOutBeforeTheTaskWhatIsNotReadyAndSaySo() {
    // Given
    scene.group();
    scene.view.pods.set(0, unready("db-0", "new"));
    // When
    scene.run(HookPoint.BEFORE_UPGRADE, "save", "step-1");
    // Then
    assertThat(actions(scene.one)).hasSize(1);
    assertThat(warnings())
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getNote())
                    .startsWith(
                        "hook beforeUpgrade: save has not run on every pod, and the task goes on: pod db-0: not ready: "));
    // and where one pod is enough
    scene.run(HookPoint.BEFORE_UPGRADE, "check", "step-2");
    assertThat(actions(scene.one)).hasSize(2);
    assertThat(warnings()).hasSize(1);
  }

  @Test
  void shouldGoOnBeforeTheTaskWhenNoPodIsReady() {
    // Given
    scene.group();
    scene.view.pods.clear();
    // When
    scene.run(HookPoint.BEFORE_REMOVE, "check", "step-1");
    // Then
    assertThat(warnings()).hasSize(1);
  }

  /** Such a group must be upgraded and removed all the same. */
  @Test
  void shouldGoOnBeforeTheTaskWhenNoPodHasTheRole() {
    // Given
    scene.group();
    // When
    scene.run(HookPoint.BEFORE_REMOVE, "flush", "step-1");
    // Then
    assertThat(actions(scene.zero)).isEmpty();
    assertThat(warnings())
        .singleElement()
        .satisfies(event -> assertThat(event.getNote()).endsWith("no ready pod is the primary"));
  }

  @Test
  void shouldGoOnWhereTheOnlyPodIsNoReplica() {
    // Given
    BegunAction.createGroup(cluster, SampleGroups.running(1));
    // When
    scene.run(HookPoint.AFTER_UPGRADE, "report", "step-1");
    // Then
    assertThat(actions(scene.zero)).isEmpty();
    assertThat(warnings())
        .singleElement()
        .satisfies(
            event -> assertThat(event.getNote()).endsWith("one pod, which is not a replica"));
  }

  @Test
  void shouldHaveNothingToRunOnWithoutPods() {
    // a group that was never made, or is gone
    scene.run(HookPoint.BEFORE_REMOVE, "save", "step-1");
    // one without a StatefulSet
    scene.group();
    scene.view.sets.clear();
    scene.run(HookPoint.BEFORE_REMOVE, "save", "step-1");
    // one that was made smaller
    scene.view.sets.add(set(0, 1));
    scene.run(HookPoint.AFTER_SCALE, "check", "step-1");
    // one that is stopped
    scene.view.sets.clear();
    scene.stop();
    scene.run(HookPoint.AFTER_UPGRADE, "check", "step-1");
    // Then
    assertThat(scene.zero.calls).isEmpty();
    assertThat(scene.one.calls).isEmpty();
  }

  @Test
  void shouldRunTheActionOfThePlannedPluginThroughTheDeployedAgents() {
    // Given
    scene.group();
    var next = scene.plugin("1.1.0", 1, "prepare");
    scene.task = scene.task.with(Optional.of(next));
    // When
    scene.run(HookPoint.BEFORE_UPGRADE, "prepare", "step-1");
    // Then
    assertThat(actions(scene.zero)).containsExactly("run prepare {keep=3}");
    assertThat(actions(scene.one)).containsExactly("run prepare {keep=3}");
  }

  /** A worker that dies in between has recorded too much, never too little. */
  @Test
  void shouldRecordThatAFinalHookBeginsBeforeAnyAgentIsAsked() {
    // Given
    scene.upgrade(new Hooks(null, "save", "save", null, null, List.of(FinalHook.AFTER_UPGRADE)));
    var seen = new AtomicReference<Map<String, String>>();
    scene.zero.action =
        to -> {
          seen.set(scene.component().getMetadata().getAnnotations());
          to.onError(Status.FAILED_PRECONDITION.asRuntimeException());
        };
    // When
    assertFails(HookPoint.BEFORE_UPGRADE, "hook beforeUpgrade");
    // Then
    assertThat(seen.get()).doesNotContainKey("middleware.io/no-way-back");
    // When
    assertFails(HookPoint.AFTER_UPGRADE, "hook afterUpgrade");
    // Then
    assertThat(seen.get().get("middleware.io/no-way-back"))
        .contains("redis 7.0", "hook afterUpgrade (action save) has begun, which is final");
  }

  @Test
  void shouldFailWhereItCannotBeRun() {
    // Given
    scene.group();
    // When Then
    assertThatThrownBy(() -> scene.run(HookPoint.AFTER_UPGRADE, "prepare", "step-1"))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("HookFailed");
              assertThat(e.getOriginalMessage())
                  .isEqualTo(
                      "hook afterUpgrade: action prepare: Plugin redis 1.0.0 has no such action for component type redis any more");
            });
  }

  private List<Event> warnings() {
    return cluster.events().stream().filter(it -> it.getReason().equals("HookNotRun")).toList();
  }

  private void assertFails(HookPoint point, String... texts) {
    assertThatThrownBy(() -> scene.run(point, "save", "step-1"))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("HookFailed");
              assertThat(e.isNonRetryable()).isTrue();
              assertThat(e.getOriginalMessage()).contains(texts);
            });
  }
}
