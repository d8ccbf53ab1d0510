package io.middleware.engine.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities.Paused;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodActivities.Replacement;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.testing.TestActivityEnvironment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The step of the pod {@code cache-db-g-1} waits until {@code cache-db-g-0} is replaced. */
@ExtendWith(ApiServer.class)
class PodTurnIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  private GroupRef group;
  private FakeWorkload workload;
  private Pod before;
  private Pod outdated;
  private CompletableFuture<Replacement> replacement;

  PodTurnIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() {
    var app = cluster.createApp();
    cluster.keepSpec(app, app.getMetadata().getUid(), app.getSpec());
    var task =
        new TaskRef(engine.begin(app), "1-versionupgrade-db", ChangeType.VERSION_UPGRADE, "db");
    group = new GroupRef(task, "g");
    workload = new FakeWorkload(cluster, 2);
    before = workload.create(0, "old", true);
    outdated = workload.create(1, "old", true);
    var activities = LocalPodActivities.start(temporal, cluster, engine);
    var request =
        new ReplaceRequest(
            group,
            workload.applied(),
            FakeWorkload.ordered(outdated),
            1,
            AgentEndpoint.NONE,
            false,
            false,
            Optional.of(FakeWorkload.ordered(before)));
    replacement =
        CompletableFuture.supplyAsync(
            () -> activities.replacePod(request), Thread::startVirtualThread);
    engine.awaitHeartbeat("pod cache-db-g-0: is out of date");
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  @Test
  void shouldWaitForThePodBefore() throws Exception {
    // When
    workload.delete(before);
    engine.awaitHeartbeat("pod cache-db-g-0: not created yet");
    workload.delete(workload.create(0, "new", false));
    // Then
    assertThat(cluster.now(outdated).isMarkedForDeletion()).isFalse();
    // and when that one is ready
    workload.create(0, "new", true);
    workload.awaitGone(outdated);
    workload.create(1, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldNotBeginWhilePausedWhenItsTurnComes() throws Exception {
    // When
    cluster.editApp(spec -> spec.replace("spec:", "spec:\n  paused: true"));
    cluster.awaitSeen(
        () -> cluster.view().app(AppKey.of(group.change())).filter(App::isPaused).isPresent());
    workload.delete(before);
    workload.create(0, "new", true);
    // Then
    assertThat(replacement.get(4, TimeUnit.MINUTES)).isEqualTo(new Paused());
    assertThat(cluster.now(outdated).isMarkedForDeletion()).isFalse();
  }

  @Test
  void shouldNotBeginWhenACancelIsAcceptedBeforeItsTurn() throws Exception {
    // When
    engine.cancelled = true;
    cluster.patchStatus("{\"change\": {\"requests\": [\"cancel of the change accepted\"]}}");
    // Then
    assertThatThrownBy(() -> replacement.get(4, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class);
    workload.delete(before);
    workload.create(0, "new", true);
    assertThat(cluster.now(outdated).isMarkedForDeletion()).isFalse();
  }
}
