package io.middleware.engine.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.WatchedChecks;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodActivities.Replaced;
import io.middleware.engine.workflows.port.PodActivities.Replacement;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Replaces pods one by one beside a check. Nobody repeats it: the worker that did is dead. The test
 * is the StatefulSet's controller.
 */
@ExtendWith(ApiServer.class)
class WatchedPodIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  private final List<String> looks = new CopyOnWriteArrayList<>();

  /** Whether the check holds before what a step is about to do. */
  private volatile Predicate<String> holds = meanwhile -> true;

  /** Whether it has failed too often. */
  private volatile boolean failed;

  private GroupRef group;
  private FakeWorkload workload;
  private PodActivities activities;

  WatchedPodIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() {
    var change = engine.begin(cluster.createApp());
    var task = new TaskRef(change, "1-versionupgrade-db", ChangeType.VERSION_UPGRADE, "db");
    group = new GroupRef(task.watchedBy(List.of(new WatchedChecks("db", List.of("serves")))), "g");
    workload = new FakeWorkload(cluster, 4);
    activities =
        LocalPodActivities.start(
            temporal,
            cluster,
            engine,
            (watched, meanwhile) -> {
              looks.add(meanwhile);
              if (failed) {
                throw Faults.of(FaultKind.CHECK_FAILED, "check serves of db did not hold");
              }
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
              return holds.test(meanwhile);
            });
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  @Test
  void shouldTouchNoPodBeyondTheOneInWorkOnceTheCheckFails() {
    // Given
    var before = workload.create(0, "old", true);
    var outdated = List.of(1, 2, 3).stream().map(i -> workload.create(i, "old", true)).toList();
    var step = replace(outdated.getFirst(), Optional.of(before));
    engine.awaitHeartbeat("pod cache-db-g-0: is out of date");
    // When
    failed = true;
    workload.delete(before);
    workload.create(0, "new", true);
    // Then
    assertThatThrownBy(() -> step.get(1, TimeUnit.MINUTES))
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("CheckFailed"));
    assertThat(outdated)
        .allSatisfy(pod -> assertThat(cluster.now(pod).isMarkedForDeletion()).isFalse());
  }

  @Test
  void shouldLookAgainAfterAWaitAndAfterTheLastPod() throws Exception {
    // Given
    newPods(3);
    var outdated = workload.create(3, "old", true);
    holds = meanwhile -> false;
    var step = replace(outdated, Optional.empty());
    cluster.await().until(() -> looks.size() > 2);
    assertThat(cluster.now(outdated).isMarkedForDeletion()).isFalse();
    // When
    holds = meanwhile -> meanwhile.startsWith("pod");
    workload.awaitGone(outdated);
    workload.create(3, "new", true);
    // Then
    cluster.await().until(() -> looks.contains("task 1-versionupgrade-db: its end"));
    assertThat(step).isNotDone();
    holds = meanwhile -> true;
    assertThat(step.get(1, TimeUnit.MINUTES)).isEqualTo(new Replaced(true));
  }

  @Test
  void shouldNotSucceedWhenTheCheckFailsAfterTheLastPod() throws Exception {
    // Given
    newPods(3);
    var outdated = workload.create(3, "old", true);
    var step = replace(outdated, Optional.empty());
    workload.awaitGone(outdated);
    // When
    failed = true;
    workload.create(3, "new", true);
    // Then
    assertThatThrownBy(() -> step.get(1, TimeUnit.MINUTES))
        .rootCause()
        .hasMessageContaining("check serves of db did not hold");
  }

  @Test
  void shouldRepairABrokenPodWhateverTheCheckSays() throws Exception {
    // Given
    newPods(3);
    var broken = workload.create(3, "old", false);
    holds = meanwhile -> !meanwhile.startsWith("pod");
    // When
    var step = replace(broken, Optional.empty());
    // Then
    workload.awaitGone(broken);
    workload.create(3, "new", true);
    assertThat(step.get(1, TimeUnit.MINUTES)).isEqualTo(new Replaced(true));
  }

  private void newPods(int count) {
    for (var i = 0; i < count; i++) {
      workload.create(i, "new", true);
    }
  }

  private CompletableFuture<Replacement> replace(Pod pod, Optional<Pod> after) {
    var request =
        new ReplaceRequest(
            group,
            workload.applied(),
            ordered(pod),
            1,
            AgentEndpoint.NONE,
            false,
            false,
            after.map(WatchedPodIT::ordered));
    return CompletableFuture.supplyAsync(
        () -> activities.replacePod(request), Thread::startVirtualThread);
  }

  private static OutdatedPod ordered(Pod pod) {
    return FakeWorkload.ordered(pod);
  }
}
