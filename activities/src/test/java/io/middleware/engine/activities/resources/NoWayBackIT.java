package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.app.NoWayBack;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An upgrade of three pods to 7.2, from which there is no way back to 7.0. The test is the
 * StatefulSet's controller.
 */
@ExtendWith(ApiServer.class)
class NoWayBackIT {
  private static final TaskHook FINAL = new TaskHook(HookPoint.AFTER_UPGRADE, "finalize");

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private FakeWorkload workload;
  private App app;

  NoWayBackIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
  }

  @BeforeEach
  void deploy() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "upgradesFrom: [\"7.0\"]}",
                """
                upgradesFrom: ["7.0"], noWayBackTo: ["7.0"]}
                    - {version: "7.4", images: {redis: "redis:7.4"}, upgradesFrom: ["7.0", "7.2"]}"""));
    app = cluster.createApp();
    var provision = writers.open(app, ChangeType.PROVISION);
    writers.group(app, provision);
    writers.transaction().end(provision.task());
    workload = new FakeWorkload(cluster, 3);
    for (int number = 0; number < 3; number++) {
      workload.create(number, "of-7.0", true);
    }
  }

  @Test
  void shouldRollBackBeforeTheFirstPodHasStarted() {
    // Given
    var ref = begin("7.2", "2-versionupgrade-db");
    workload.report("of-7.2", 3);
    // When Then
    assertThat(writers.transaction().begin(ref.task().back())).containsExactly("g");
    assertThat(version()).isEqualTo("7.0");
  }

  @Test
  void shouldHoldOnceAPodHasStarted() {
    // Given
    var ref = begin("7.2", "2-versionupgrade-db");
    workload.report("of-7.2", 3);
    replace(1, "of-7.2");
    // When Then
    assertHolds(
        ref.task(),
        "there is no way back from redis 7.2, with which pod cache-db-g-1 may have started");
    assertThat(version()).isEqualTo("7.2");
    assertHolds(ref.task(), "redis 7.2");
    // and says so, once
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .filteredOn(event -> "NoWayBack".equals(event.getReason()))
                    .singleElement()
                    .satisfies(
                        event ->
                            assertThat(event.getNote())
                                .startsWith(
                                    "task 2-versionupgrade-db is not rolled back: there is no way back")));
  }

  @Test
  void shouldHoldWhileThePodIsAboutToStart() {
    // Given
    var ref = begin("7.2", "2-versionupgrade-db");
    workload.report("of-7.2", 3);
    delete(2);
    // When Then
    assertHolds(ref.task(), "pod cache-db-g-2 may have started");
  }

  /** Its pods may be taken away by the next change, so that nobody can see it any more. */
  @Test
  void shouldKeepThatAPodHasStarted() {
    // Given
    begin("7.2", "2-versionupgrade-db");
    workload.report("of-7.2", 3);
    replace(1, "of-7.2");
    // When
    begin("7.4", "3-versionupgrade-db");
    // Then
    assertThat(kept().behind()).containsOnlyKeys("redis 7.0");
  }

  @Test
  void shouldKeepNothingOfPodsThatHaveNotStarted() {
    // Given
    begin("7.2", "2-versionupgrade-db");
    workload.report("of-7.2", 3);
    // When
    begin("7.4", "3-versionupgrade-db");
    // Then
    assertThat(kept()).isEqualTo(NoWayBack.NONE);
  }

  @Test
  void shouldHoldOnceAFinalHookHasBegun() {
    // Given
    var ref = begin("7.4", "2-versionupgrade-db");
    finals().begin(ref.task(), FINAL);
    finals().begin(ref.task(), FINAL);
    // When Then
    assertHolds(ref.task(), "hook afterUpgrade (action finalize) has begun, which is final");
    // and when the task is done
    writers.transaction().end(ref.task());
    assertThat(kept().behind()).containsOnlyKeys("redis 7.0");
    assertThat(kept().task()).isNull();
  }

  /** A worker that was away while the task was given up, and goes on. */
  @Test
  void shouldBeginNoFinalHookOnceTheRollbackHasBegun() {
    // Given
    var ref = begin("7.4", "2-versionupgrade-db");
    workload.report("of-7.4", 3);
    writers.transaction().begin(ref.task().back());
    // When Then
    assertThatThrownBy(() -> finals().begin(ref.task(), FINAL))
        .hasMessageContaining(
            "hook afterUpgrade does not begin: task 2-versionupgrade-db has ended, or is being rolled back");
    assertThat(kept()).isEqualTo(NoWayBack.NONE);
    // and when it is done
    writers.transaction().end(ref.task().back());
    assertThatThrownBy(() -> finals().begin(ref.task(), FINAL)).hasMessageContaining("has ended");
  }

  /** It says nothing of the tasks after it: none can be rolled back any more but the last. */
  @Test
  void shouldForgetTheHookOfAnEarlierTask() {
    // Given
    var ref = begin("7.2", "2-versionupgrade-db");
    finals().begin(ref.task(), FINAL);
    // When
    begin("7.4", "3-versionupgrade-db");
    // Then
    assertThat(kept().task()).isNull();
    assertThat(kept().hook()).isNull();
    assertThat(kept().behind()).containsOnlyKeys("redis 7.0");
  }

  /** The tasks of another App may have had the same ids. */
  @Test
  void shouldForgetTheHookOfAnAppFromBefore() {
    // Given
    var ref = begin("7.4", "2-versionupgrade-db");
    finals().begin(ref.task(), FINAL);
    var left = component();
    cluster
        .named(Component.class, "cache-db")
        .edit(
            it -> {
              it.getMetadata()
                  .setOwnerReferences(
                      it.getMetadata().getOwnerReferences().stream()
                          .filter(owner -> !owner.getKind().equals("App"))
                          .toList());
              return it;
            });
    assertThat(NoWayBack.of(left).hasBegun(ref.task().id())).isTrue();
    // When
    begin("7.4", "2-versionupgrade-db");
    // Then
    assertThat(kept().task()).isNull();
  }

  /** All pods are upgraded, and the task that began this is another one. */
  @Test
  void shouldKnowTheVersionFromBeforeAnUpgradeThatIsCompletedLater() {
    // Given
    begin("7.4", "2-versionupgrade-db", true);
    workload.report("of-7.4", 3);
    for (int number = 0; number < 3; number++) {
      replace(number, "of-7.4");
    }
    // When
    var ref = begin("7.4", "3-versionupgrade-db", true);
    finals().begin(ref.task(), FINAL);
    // Then
    assertThat(kept().behind()).containsOnlyKeys("redis 7.0");
    writers.transaction().end(ref.task());
    assertThat(kept().origins()).isEmpty();
  }

  private FinalHooks finals() {
    return new FinalHooks(engine.apps(engine.cluster.view()), engine.objects);
  }

  private void assertHolds(TaskRef task, String why) {
    assertThatThrownBy(() -> writers.transaction().begin(task.back()))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Irreversible"))
        .hasMessageContaining(why)
        .hasMessageContaining("edit the App to go on from here");
  }

  private String version() {
    return component().getSpec().runtime().version();
  }

  private NoWayBack kept() {
    return NoWayBack.of(component());
  }

  private Component component() {
    return cluster.named(Component.class, "cache-db").get();
  }

  private GroupRef begin(String version, String id) {
    return begin(version, id, false);
  }

  /** The task has written the Group; its StatefulSet is up to the test. */
  private GroupRef begin(String version, String id, boolean hooked) {
    app = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"%s\"".formatted(version)));
    var task = new TaskRef(engine.begin(app), id, ChangeType.VERSION_UPGRADE, "db").hooked(hooked);
    writers.transaction().begin(task);
    var ref = new GroupRef(task, "g");
    writers.apply(ref, writers.desired(app, ref).group());
    return ref;
  }

  private void replace(int number, String revision) {
    delete(number);
    workload.create(number, revision, true);
  }

  private void delete(int number) {
    cluster.named(Pod.class, "cache-db-g-" + number).withGracePeriod(0).delete();
  }
}
