package io.middleware.engine.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cancel reaches the step in hand before the status is written, however slow that write is. */
class CancelFirstIT {
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicBoolean isReportedBefore = new AtomicBoolean();

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);

  @ParameterizedTest
  @ValueSource(strings = {"task", "change", "native", "deletion"})
  void shouldStopTheStepBeforeTheStatusIsWritten(String what) {
    // Given
    env.during(
        "apply sentinel/all",
        () -> {
          var quiet = System.nanoTime() + Duration.ofMillis(1500).toNanos();
          env.await(() -> System.nanoTime() > quiet);
          env.cluster.fault = operation -> operation.equals("report") ? untilStopped() : null;
          cancel(what);
          try {
            env.cluster.hang();
          } finally {
            stopped.countDown();
            env.cluster.fault = operation -> null;
          }
        });
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(stopped.getCount()).isZero();
    assertThat(isReportedBefore).isFalse();
  }

  private void cancel(String what) {
    switch (what) {
      case "task" ->
          env.open().signal("cancelTasks", ChangeEnvironment.cancel("7-config-sentinel"));
      case "change" -> env.open().signal("cancelChange");
      case "native" -> env.cancelNatively("");
      default -> env.open().signal("changed", ChangeEnvironment.deletion(8));
    }
  }

  private ApplicationFailure untilStopped() {
    try {
      if (!stopped.await(20, TimeUnit.SECONDS)) {
        isReportedBefore.set(true);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return null;
  }
}
