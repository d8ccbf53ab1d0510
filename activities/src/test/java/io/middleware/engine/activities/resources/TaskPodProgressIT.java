package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.objects.DrainedPods;
import io.middleware.engine.activities.rollout.TaskPodProgress;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Of an upgrade of the group {@code g}; the test is the StatefulSet's controller. */
@ExtendWith(ApiServer.class)
class TaskPodProgressIT {
  private static final String FIRST = "cache-db-g-0";
  private static final String SECOND = "cache-db-g-1";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private final TaskPodProgress progress;
  private FakeWorkload workload;

  TaskPodProgressIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.progress =
        new TaskPodProgress(engine.objects, engine.plugins, engine.specHistory, cluster.view());
  }

  @Test
  void shouldFollowAnUpgradeFromPodToPod() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp();
    var provision = writers.open(app, ChangeType.PROVISION);
    writers.group(app, provision);
    writers.transaction().end(provision.task());
    workload = new FakeWorkload(cluster, 2);
    workload.create(0, "new", true);
    workload.create(1, "new", true);
    // When the task has begun
    var upgraded = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
    var ref = writers.open(upgraded, ChangeType.VERSION_UPGRADE);
    awaitSeen(upgraded);
    // Then
    assertPods(ref, "[]", "[%s, %s]".formatted(FIRST, SECOND), false);
    // When the group is written and its second pod replaced
    writers.apply(ref, writers.desired(upgraded, ref).group());
    workload.report("newer", 2);
    cluster.client().pods().inNamespace(cluster.namespace()).withName(SECOND).delete();
    workload.create(1, "newer", true);
    // Then
    assertPods(ref, "[%s]".formatted(SECOND), "[%s]".formatted(FIRST), false);
    // When the task ends
    writers.transaction().end(ref.task());
    // Then
    assertThat(progress.of(ref.task()).settled()).isTrue();
  }

  @Test
  void shouldCountThePodInHandAsTheTasksOwn() {
    // Given
    var ref = upgrade();
    // When its eviction has begun
    cluster
        .named(Pod.class, FIRST)
        .edit(
            pod ->
                new PodBuilder(pod).editMetadata().withFinalizers("test/x").endMetadata().build());
    cluster.named(Pod.class, FIRST).delete();
    // Then
    assertPods(ref, "[%s]".formatted(FIRST), "[%s]".formatted(SECOND), false);
    assertThat(progress.of(ref.task()).unready()).containsExactly(FIRST);
    // When it is gone, and its successor is not created yet
    cluster
        .named(Pod.class, FIRST)
        .edit(pod -> new PodBuilder(pod).editMetadata().withFinalizers().endMetadata().build());
    cluster.await().until(() -> cluster.named(Pod.class, FIRST).get() == null);
    // Then
    assertPods(ref, "[%s]".formatted(FIRST), "[%s]".formatted(SECOND), false);
    assertThat(progress.of(ref.task()).unready()).containsExactly(FIRST);
    // When its successor starts
    workload.create(0, "newer", false);
    assertPods(ref, "[%s]".formatted(FIRST), "[%s]".formatted(SECOND), false);
    assertThat(progress.of(ref.task()).unready()).containsExactly(FIRST);
  }

  @Test
  void shouldTakeStockOfThePodsAsTheyAre() {
    // Given a view that is behind
    var ref = upgrade();
    var behind = new FakeView();
    var key = new AppKey(cluster.namespace(), "cache");
    behind.app = cluster.view().app(key).orElseThrow();
    behind.sets.addAll(cluster.view().statefulSets(key));
    behind.pods.addAll(cluster.view().pods(key));
    // When
    cluster.named(Pod.class, SECOND).withGracePeriod(0).delete();
    workload.create(1, "newer", true);
    // Then
    var stock =
        new TaskPodProgress(engine.objects, engine.plugins, engine.specHistory, behind)
            .of(ref.task());
    assertThat(stock.current()).containsExactly(SECOND);
    assertThat(stock.outdated()).containsExactly(FIRST);
  }

  @Test
  void shouldCountThePodsThatTheTaskHasDrained() {
    // Given
    var ref = upgrade();
    var drained = new DrainedPods(engine.objects, ref);
    // When
    drained.add(SECOND);
    drained.add(FIRST);
    drained.add(SECOND);
    // Then
    assertThat(progress.of(ref.task()).progress())
        .containsExactly("drained " + SECOND, "drained " + FIRST);
    var other = new TaskRef(ref.change(), "other", ref.task().type(), ref.task().component());
    assertThat(progress.of(other).progress()).as("those of another task").isEmpty();
  }

  /** Its group is written, and no pod is replaced yet. */
  private GroupRef upgrade() {
    cluster.createPlugin();
    var app = cluster.createApp();
    var provision = writers.open(app, ChangeType.PROVISION);
    writers.group(app, provision);
    writers.transaction().end(provision.task());
    workload = new FakeWorkload(cluster, 2);
    workload.create(0, "new", true);
    workload.create(1, "new", true);
    var upgraded = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
    var ref = writers.open(upgraded, ChangeType.VERSION_UPGRADE);
    awaitSeen(upgraded);
    writers.apply(ref, writers.desired(upgraded, ref).group());
    workload.report("newer", 2);
    return ref;
  }

  private void awaitSeen(App app) {
    cluster.awaitSeen(
        () ->
            cluster
                .view()
                .app(new AppKey(cluster.namespace(), "cache"))
                .filter(
                    it ->
                        it.getMetadata().getGeneration().equals(app.getMetadata().getGeneration()))
                .isPresent());
  }

  private void assertPods(GroupRef ref, String current, String outdated, boolean settled) {
    var pods = progress.of(ref.task());
    assertThat(pods.current()).hasToString(current);
    assertThat(pods.outdated()).hasToString(outdated);
    assertThat(pods.settled()).isEqualTo(settled);
  }
}
