package io.middleware.engine.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.ConvergeRequest;
import io.middleware.engine.workflows.port.PodActivities.Paused;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodActivities.Replaced;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replaces the pod {@code cache-db-g-1}; the test is the StatefulSet's controller. */
@ExtendWith(ApiServer.class)
class PodReplacementIT {
  private static final String POD = "cache-db-g-1";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  private App app;
  private GroupRef group;
  private FakeWorkload workload;
  private Pod outdated;
  private PodActivities activities;

  PodReplacementIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() {
    app = cluster.createApp();
    var task =
        new TaskRef(engine.begin(app), "1-versionupgrade-db", ChangeType.VERSION_UPGRADE, "db");
    group = new GroupRef(task, "g");
    workload = new FakeWorkload(cluster, 2);
    workload.create(0, "new", true);
    outdated = workload.create(1, "old", true);
    activities = LocalPodActivities.start(temporal, cluster, engine);
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  @Test
  void shouldEvictThePodAndWaitForItsSuccessor() throws Exception {
    // When
    var replacement = replace(uid(outdated));
    // Then
    workload.awaitGone(outdated);
    engine.awaitHeartbeat("pod cache-db-g-1: not created yet");
    assertThat(replacement).isNotDone();
    // and when the successor is ready
    var successor = workload.create(1, "new", false);
    engine.awaitHeartbeat("pod cache-db-g-1: not ready");
    assertThat(replacement).isNotDone();
    workload.delete(successor);
    workload.create(1, "new", true);
    assertThat(replacement.get(4, TimeUnit.MINUTES)).isEqualTo(new Replaced(true));
    cluster.await().untilAsserted(() -> assertThat(events()).containsExactly("PodReplaced"));
  }

  @Test
  void shouldSayThatOtherPodsOfTheGroupAreStillOutOfDate() throws Exception {
    // Given
    workload.create(2, "old", true);
    // When
    var replacement = replace(uid(outdated));
    workload.awaitGone(outdated);
    workload.create(1, "new", true);
    // Then
    assertThat(replacement.get(4, TimeUnit.MINUTES)).isEqualTo(new Replaced(false));
  }

  @Test
  void shouldLeaveThePodAloneWhileTheAppIsPaused() throws Exception {
    // Given
    cluster.editApp(spec -> spec.replace("spec:", "spec:\n  paused: true"));
    cluster.awaitSeen(
        () -> cluster.view().app(AppKey.of(group.change())).filter(App::isPaused).isPresent());
    // When
    var replacement = replace(uid(outdated)).get(4, TimeUnit.MINUTES);
    // Then
    assertThat(replacement).isEqualTo(new Paused());
    assertThat(cluster.now(outdated).isMarkedForDeletion()).isFalse();
    // and when it is resumed
    var resumed =
        CompletableFuture.runAsync(
            () -> activities.awaitResumed(group.task()), Thread::startVirtualThread);
    engine.awaitHeartbeat("App cache is paused: set spec.paused to false");
    assertThat(resumed).isNotDone();
    cluster.editApp(spec -> spec);
    resumed.get(4, TimeUnit.MINUTES);
    assertThat(engine.heartbeats).hasSize(1);
  }

  @Test
  void shouldNeverTouchAPodOfAnotherUid() throws Exception {
    // When
    var replacement = replace("of-an-earlier-pod");
    // Then
    engine.awaitHeartbeat("pod cache-db-g-1: is out of date: has revision old instead of new");
    assertThat(cluster.now(outdated).getMetadata().getUid()).isEqualTo(uid(outdated));
    assertThat(cluster.now(outdated).isMarkedForDeletion()).isFalse();
    // and when somebody else has replaced it
    workload.delete(outdated);
    workload.create(1, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
    assertThat(events()).isEmpty();
  }

  /** As asked for by somebody who may start workflows, but not delete pods. */
  @Test
  void shouldTouchNoPodOfAnotherWorkload() throws Exception {
    // Given
    var metadata = new ObjectMetaBuilder(outdated.getMetadata());
    var foreign =
        cluster.create(
            new PodBuilder(outdated)
                .withMetadata(
                    metadata.withName("other").withResourceVersion(null).withUid(null).build())
                .editMetadata()
                .withOwnerReferences()
                .endMetadata()
                .build());
    // When
    var replacement = replace(new OutdatedPod("other", uid(foreign), Optional.empty()));
    // Then
    assertThat(replacement.get(4, TimeUnit.MINUTES))
        .isEqualTo(
            new PodActivities.OrderStale("pod other is not controlled by StatefulSet cache-db-g"));
    assertThat(cluster.now(foreign).isMarkedForDeletion()).isFalse();
    workload.delete(foreign);
  }

  @Test
  void shouldOnlyWaitForTheSuccessorOfAPodThatIsGone() throws Exception {
    // Given
    workload.delete(outdated);
    // When
    var replacement = replace(uid(outdated));
    // Then
    engine.awaitHeartbeat("pod cache-db-g-1: not created yet");
    var successor = workload.create(1, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
    assertThat(cluster.now(successor).isMarkedForDeletion()).isFalse();
    assertThat(events()).isEmpty();
  }

  @Test
  void shouldTryAgainWhenADisruptionBudgetRefuses() throws Exception {
    // Given
    var budget = workload.createBudget(0);
    // When
    var replacement = replace(uid(outdated));
    // Then
    cluster.await().untilAsserted(() -> assertThat(events()).containsExactly("EvictionRefused"));
    assertThat(cluster.now(outdated).isMarkedForDeletion()).isFalse();
    // and when the budget allows it
    workload.allow(budget, 1);
    workload.awaitGone(outdated);
    workload.create(1, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldDeleteABrokenPodThatABudgetWouldKeep() throws Exception {
    // Given
    workload.createBudget(0);
    workload.delete(outdated);
    var broken = workload.create(1, "old", false);
    // When
    var replacement = replace(uid(broken));
    // Then
    workload.awaitGone(broken);
    workload.create(1, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldTouchNothingWithoutTheRunLock() {
    // Given
    takeRunLock();
    // When
    var replacement = replace(uid(outdated));
    // Then
    assertSuperseded(replacement);
    assertThat(cluster.now(outdated).isMarkedForDeletion()).isFalse();
  }

  @Test
  void shouldStopWaitingWhenTheRunLockIsLost() {
    // Given
    var replacement = replace(uid(outdated));
    engine.awaitHeartbeat("pod cache-db-g-1: not created yet");
    // When
    takeRunLock();
    // Then
    assertSuperseded(replacement);
  }

  @Test
  void shouldSayWhatTheGroupLacks() {
    // Given
    var request = new ConvergeRequest(group, Optional.of(workload.applied()));
    // When Then
    assertThat(activities.missing(request))
        .contains("pod cache-db-g-1: is out of date: has revision old instead of new");
    // and when all are up to date
    workload.delete(outdated);
    workload.create(1, "new", true);
    activities.awaitConverged(request);
    assertThat(activities.missing(request)).isEmpty();
  }

  @Test
  void shouldWaitUntilNoPodOfARemovedGroupIsThere() throws Exception {
    // When
    var gone =
        CompletableFuture.runAsync(() -> activities.awaitGone(group), Thread::startVirtualThread);
    cluster.await().until(() -> !engine.heartbeats.isEmpty());
    // Then
    assertThat(gone).isNotDone();
    cluster.client().pods().inNamespace(cluster.namespace()).delete();
    gone.get(4, TimeUnit.MINUTES);
  }

  private CompletableFuture<?> replace(String uid) {
    return replace(new OutdatedPod(POD, uid, Optional.empty()));
  }

  private CompletableFuture<?> replace(OutdatedPod pod) {
    var request =
        new ReplaceRequest(group, workload.applied(), pod, 1, AgentEndpoint.NONE, false, false);
    return CompletableFuture.supplyAsync(
        () -> activities.replacePod(request), Thread::startVirtualThread);
  }

  private void takeRunLock() {
    engine.openRun = "run-2";
    engine.lock.acquire(cluster.change(app, "run-2"));
  }

  private static void assertSuperseded(CompletableFuture<?> step) {
    assertThatThrownBy(() -> step.get(4, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class)
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Superseded"));
  }

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }

  private List<String> events() {
    return cluster.events().stream()
        .map(Event::getReason)
        .filter(reason -> !reason.equals("ChangeTerminated"))
        .toList();
  }
}
