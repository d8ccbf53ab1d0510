package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.workflows.port.ChangeProgress.PendingEdit;
import io.middleware.engine.workflows.port.PlanAnswer.NotBegun;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An Operation holds its App from its beginning to its end, and no longer. */
@ExtendWith(ApiServer.class)
class OperationLockIT {
  private final OperationScene scene;

  OperationLockIT(LocalNamespace cluster) {
    scene = new OperationScene(cluster);
  }

  @Test
  void shouldReleaseTheAppAtItsEndAndNeverBeginAgain() {
    // Given
    var change = scene.restart(null);
    scene.plan(change);
    // When
    scene.reports(scene.ended(change));
    // Then
    assertThat(scene.cluster.now(scene.app).getStatus().operation()).isNull();
    assertThat(scene.now(change).getStatus().phase()).isEqualTo("Succeeded");
    assertThatThrownBy(() -> scene.engine.fence.check(change)).hasMessageContaining("has ended");
    assertThat(scene.plan(change))
        .isEqualTo(
            new NotBegun(
                "Operation restart-1 (Restart) does not begin: it has ended already: Succeeded"));
  }

  @Test
  void shouldReleaseTheAppWhenItIsCancelledBeforeItHasBegun() {
    // Given a first attempt that died after it had acquired the lock
    var change = scene.restart(null);
    scene.engine.status.write(
        new AppId(change.namespace(), change.app(), change.uid()),
        seen -> Optional.of(scene.withLock(seen, change)));
    scene
        .cluster
        .named(Operation.class, "restart-1")
        .edit(
            it -> {
              var spec = it.getSpec();
              it.setSpec(
                  new OperationSpec(spec.app(), spec.action(), null, null, null, null, 60, true));
              return it;
            });
    // When Then
    assertThat(scene.plan(change)).isInstanceOf(NotBegun.class);
    assertThat(scene.cluster.now(scene.app).getStatus().operation()).isNull();
  }

  /** Somebody has removed its finalizer by hand. */
  @Test
  void shouldReleaseTheAppAtItsEndAlsoWhenTheOperationIsGone() {
    // Given
    var change = scene.restart(null);
    scene.plan(change);
    scene.cluster.named(Operation.class, "restart-1").delete();
    // When
    scene.reports(scene.ended(change));
    // Then
    assertThat(scene.cluster.now(scene.app).getStatus().operation()).isNull();
  }

  /** It goes on later, when the edit that came between is carried out. */
  @Test
  void shouldNotEndWhenAnotherRunOfItCannotBegin() {
    // Given
    var change = scene.restart(null);
    scene.plan(change);
    scene.engine.openRun = "run-3";
    scene.engine.lock.acquire(scene.cluster.change(scene.app, "run-3"));
    // When
    scene.engine.openRun = "run-4";
    var late = scene.of(change, "run-4");
    assertThat(scene.plan(late)).isInstanceOf(NotBegun.class);
    scene.reports(scene.ended(late));
    // Then
    assertThat(scene.now(change).getStatus().phase()).isEqualTo("InProgress");
  }

  @Test
  void shouldShowTheEditThatWaitsForIt() {
    // Given
    var change = scene.restart(null);
    scene.plan(change);
    // When
    scene.reports(
        scene.progress(
            change,
            List.of(),
            Optional.of(
                new PendingEdit(scene.app.getMetadata().getGeneration() + 1, Instant.EPOCH)),
            Optional.empty()));
    // Then
    var status = scene.cluster.now(scene.app).getStatus();
    assertThat(status.pendingChange().generation()).isEqualTo(status.observedGeneration() + 1);
    assertThat(status.conditions())
        .filteredOn(it -> it.getType().equals("PendingChange"))
        .singleElement()
        .satisfies(it -> assertThat(it.getMessage()).contains("Operation restart-1"));
  }

  @Test
  void shouldMakeRoomForAnEdit() {
    // Given
    var change = scene.restart(null);
    scene.cluster.editApp(text -> text.replace("7.0", "7.2"));
    // When Then
    assertThat(scene.plan(change)).isInstanceOf(NotBegun.class);
    assertThat(scene.cluster.now(scene.app).getStatus().operation()).isNull();
    assertThat(scene.now(change).getStatus()).isNull();
  }
}
