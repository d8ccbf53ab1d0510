package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.rollout.TaskPodProgress;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An upgrade of three pods to 7.2 that was cancelled with Hold after the first one, and the next
 * change after it. The test is the StatefulSet's controller.
 */
@ExtendWith(ApiServer.class)
class UndoAfterHoldIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private final TaskPodProgress progress;
  private FakeWorkload workload;
  private App app;

  UndoAfterHoldIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.progress =
        new TaskPodProgress(engine.objects, engine.plugins, engine.specHistory, cluster.view());
  }

  @BeforeEach
  void hold() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "    - {version: \"7.2\"",
                "    - {version: \"7.4\", images: {redis: \"redis:7.4\"}, upgradesFrom: [\"7.2\"]}\n"
                    + "    - {version: \"7.2\""));
    app = cluster.createApp();
    var provision = writers.open(app, ChangeType.PROVISION);
    writers.group(app, provision);
    writers.transaction().end(provision.task());
    workload = new FakeWorkload(cluster, 3);
    for (int number = 0; number < 3; number++) {
      workload.create(number, "of-7.0", true);
    }
    begin("7.2", "2-versionupgrade-db");
    workload.report("of-7.2", 3);
    replace(0, "of-7.2");
  }

  @Test
  void shouldBringBackThePodThatTheTaskHasReplaced() {
    // Given
    var ref = begin("7.4", "3-versionupgrade-db");
    workload.report("of-7.4", 3);
    replace(0, "of-7.4");
    assertPods(ref.task(), "[cache-db-g-0]", "[cache-db-g-1, cache-db-g-2]");
    // When
    var groups = writers.transaction().begin(ref.task().back());
    // Then
    assertThat(groups).containsExactly("g");
    assertThat(writers.desired(app, rollback(ref)).group().getSpec().runtime().version())
        .isEqualTo("7.2");
    assertThat(writers.desired(app, rollback(ref)).kept())
        .containsExactly("cache-db-g-1", "cache-db-g-2");
  }

  @Test
  void shouldHoldWhenAPodCannotGetItsOwnTemplateAgain() {
    // Given
    var ref = begin("7.4", "3-versionupgrade-db");
    workload.report("of-7.4", 3);
    replace(0, "of-7.4");
    replace(1, "of-7.4");
    // When Then
    assertHolds(ref.task(), "7.4");
    assertPods(ref.task(), "[cache-db-g-0, cache-db-g-1]", "[cache-db-g-2]");
  }

  @Test
  void shouldHoldWhenTheTaskHasFinishedTheEarlierUpgrade() {
    // Given the same spec again
    var ref = begin("7.2", "3-versionupgrade-db");
    replace(1, "of-7.2");
    // When Then
    assertHolds(ref.task(), "7.2");
    assertPods(ref.task(), "[cache-db-g-1]", "[cache-db-g-0, cache-db-g-2]");
  }

  private void assertHolds(TaskRef task, String version) {
    assertThatThrownBy(() -> writers.transaction().begin(task.back()))
        .isInstanceOf(ApplicationFailure.class)
        .hasMessageContaining("pod cache-db-g-1 ")
        .hasMessageContaining("edit the App");
    assertThat(cluster.named(Component.class, "cache-db").get().getSpec().runtime().version())
        .isEqualTo(version);
  }

  private void assertPods(TaskRef task, String current, String outdated) {
    var pods = progress.of(task);
    assertThat(pods.current()).hasToString(current);
    assertThat(pods.outdated()).hasToString(outdated);
  }

  /** The task has written the Group; its StatefulSet is up to the test. */
  private GroupRef begin(String version, String id) {
    app = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"%s\"".formatted(version)));
    var task = new TaskRef(engine.begin(app), id, ChangeType.VERSION_UPGRADE, "db");
    writers.transaction().begin(task);
    var ref = new GroupRef(task, "g");
    writers.apply(ref, writers.desired(app, ref).group());
    return ref;
  }

  private static GroupRef rollback(GroupRef ref) {
    return new GroupRef(ref.task().back(), ref.group());
  }

  private void replace(int number, String revision) {
    cluster.named(Pod.class, "cache-db-g-" + number).withGracePeriod(0).delete();
    workload.create(number, revision, true);
  }
}
