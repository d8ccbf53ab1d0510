package io.middleware.engine.activities.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ChangeStatus;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunLockFenceTest {
  private static final ChangeRef CHANGE = new ChangeRef("shop", "cache", "uid", 2, "new");

  private final List<ChangeRef> asked = new ArrayList<>();

  @Test
  void shouldLetTheRunPassThatHasTheClaimAndAskNobody() {
    // Given
    var app = claimedBy("new");
    // When
    var passed = fence(Optional.of(app), false).check(CHANGE);
    // Then
    assertThat(passed).isSameAs(app);
    assertThat(asked).isEmpty();
  }

  @Test
  void shouldLetTheRunPassWhoseClaimIsRenewed() {
    var app = claimedBy("old");
    assertThat(fence(Optional.of(app), true).check(CHANGE)).isSameAs(app);
    assertThat(asked).containsExactly(CHANGE);
  }

  @Test
  void shouldStopARunThatIsNotAtWork() {
    assertSuperseded(fence(Optional.of(claimedBy("old")), false), "is claimed by run old");
    assertSuperseded(fence(Optional.of(claimedBy(null)), false), "is claimed by run (none)");
  }

  @Test
  void shouldNotRenewTheClaimOfAnAppThatIsGone() {
    var other = claimedBy("old");
    other.getMetadata().setUid("other");
    assertSuperseded(fence(Optional.of(other), true), "of uid uid is gone");
    assertSuperseded(fence(Optional.empty(), true), "of uid uid is gone");
    assertThat(asked).isEmpty();
  }

  private RunLockFence fence(Optional<App> app, boolean renewed) {
    return new RunLockFence(change -> app, change -> asked.add(change) && renewed);
  }

  private static void assertSuperseded(RunLockFence fence, String words) {
    assertThatThrownBy(() -> fence.check(CHANGE))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo("Superseded");
              assertThat(failure.getOriginalMessage()).contains(words);
            });
  }

  private static App claimedBy(String run) {
    var app = new App();
    app.setMetadata(
        new ObjectMetaBuilder().withNamespace("shop").withName("cache").withUid("uid").build());
    if (run != null) {
      var change =
          new ChangeStatus(
              2L, "app/shop/cache", run, null, null, null, null, "2-config-db", null, null);
      app.setStatus(new AppStatus(1L, 2L, null, null, change, null, null, null, null, List.of()));
    }
    return app;
  }
}
