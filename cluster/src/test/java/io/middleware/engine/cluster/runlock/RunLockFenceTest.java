package io.middleware.engine.cluster.runlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunLockFenceTest {
  private static final ChangeRef CHANGE = new ChangeRef("shop", "cache", "uid", 2, "new");

  private final List<ChangeRef> renewals = new ArrayList<>();

  @Test
  void shouldPassTheHolderOfTheLockWithoutARenewal() {
    // Given
    var app = lockedBy("new");
    // When
    var passed = fence(Optional.of(app), false).check(CHANGE);
    // Then
    assertThat(passed).isSameAs(app);
    assertThat(renewals).isEmpty();
  }

  @Test
  void shouldPassARunWhoseLockIsRenewed() {
    var app = lockedBy("old");
    assertThat(fence(Optional.of(app), true).check(CHANGE)).isSameAs(app);
    assertThat(renewals).containsExactly(CHANGE);
  }

  @Test
  void shouldStopARunThatIsNotTheOpenOne() {
    assertSuperseded(
        fence(Optional.of(lockedBy("old")), false),
        "the run lock is held by run old, not by run new");
    assertSuperseded(
        fence(Optional.of(lockedBy(null)), false),
        "the run lock is held by run (none), not by run new");
  }

  /** The App has come back from a backup that is older than the change. */
  @Test
  void shouldStopARunOfAGenerationThatTheAppDoesNotHave() {
    var restored = lockedBy("old");
    restored.getMetadata().setGeneration(1L);
    assertSuperseded(
        fence(Optional.of(restored), true),
        "the App is at generation 1, because it was restored from a backup");
    assertThat(renewals).isEmpty();
  }

  @Test
  void shouldNotRenewTheLockOfAnAppThatIsGone() {
    var other = lockedBy("old");
    other.getMetadata().setUid("other");
    assertSuperseded(fence(Optional.of(other), true), "with uid uid is gone");
    assertSuperseded(fence(Optional.empty(), true), "with uid uid is gone");
    assertThat(renewals).isEmpty();
  }

  private RunLockFence fence(Optional<App> app, boolean renewed) {
    return new RunLockFence(change -> app, change -> renewals.add(change) && renewed);
  }

  private static void assertSuperseded(RunLockFence fence, String message) {
    assertThatThrownBy(() -> fence.check(CHANGE))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo("Superseded");
              assertThat(failure.getOriginalMessage()).contains(message);
            });
  }

  static App lockedBy(String run) {
    var app = new App();
    app.setMetadata(
        new ObjectMetaBuilder().withNamespace("shop").withName("cache").withUid("uid").build());
    if (run != null) {
      var change =
          ChangeStatusBuilder.builder()
              .generation(2L)
              .workflowId("app/shop/cache")
              .runId(run)
              .currentTask("2-config-db")
              .build();
      app.setStatus(
          AppStatusBuilder.builder()
              .observedGeneration(1L)
              .acceptedGeneration(2L)
              .change(change)
              .conditions(List.of())
              .build());
    }
    return app;
  }
}
