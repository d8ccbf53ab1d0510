package io.middleware.engine.e2e;

import static io.middleware.engine.e2e.HangingApp.HANGING;
import static io.middleware.engine.e2e.HangingApp.NAME;
import static io.middleware.engine.e2e.LifeCell.SENTINEL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An operator cancels a workflow with Temporal's own tools while a pod is waited for. */
@EndToEnd
class NativeCancelE2E {

  /** The workflow that is cancelled, and what becomes of the task after the one in work. */
  enum Target {
    RUN("", "Cancelled"),
    COMPONENT("/2/" + SENTINEL, "Skipped");

    private final String child;
    private final String next;

    Target(String child, String next) {
      this.child = child;
      this.next = next;
    }
  }

  private final Shop shop;
  private final Temporal temporal;

  NativeCancelE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  static Stream<Arguments> ways() {
    return Arrays.stream(Cli.values())
        .flatMap(tool -> Arrays.stream(Target.values()).map(target -> Arguments.of(tool, target)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldRollTheTaskBackAndLeaveNothingOpen(Cli tool, Target target) {
    // Given the first pod of two hangs
    var app = new HangingApp(shop, HANGING, 2).deployed();
    var change = AuditLog.fromNow();
    app.upgrade("");
    app.awaitHanging();
    // When
    tool.workflow("app/%s/%s%s".formatted(shop.namespace, NAME, target.child), "cancel");
    // Then
    app.awaitOutcome("Cancelled");
    var task = shop.awaitTask(NAME, SENTINEL, "Cancelled");
    assertThat(task.error().message()).contains("rolled back");
    assertThat(task.result().reverted()).containsExactly(app.pod(1));
    assertThat(task.result().left()).containsExactly(app.pod(0));
    shop.awaitTask(NAME, "2-versionupgrade-redis-nodes", target.next);
    assertThat(change.restarts(shop.namespace)).containsExactly(app.pod(1), app.pod(1));
    assertThat(app.versions()).containsExactly("7.0");
    await("no workflow open").until(() -> temporal.open(shop.namespace).isEmpty());
  }
}
