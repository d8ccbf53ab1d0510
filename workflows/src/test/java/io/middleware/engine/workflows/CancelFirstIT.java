package io.middleware.engine.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cancel reaches the step in hand before the status is written, however slow that write is. */
class CancelFirstIT {
  private static final Duration SLOW = Duration.ofSeconds(3);

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);

  @ParameterizedTest
  @ValueSource(strings = {"task", "change", "native", "deletion"})
  void shouldStopTheStepBeforeTheStatusIsWritten(String what) {
    // Given
    var took = new AtomicLong(Long.MAX_VALUE);
    env.during(
        "apply sentinel/all",
        () -> {
          var quiet = System.nanoTime() + Duration.ofMillis(1500).toNanos();
          env.await(() -> System.nanoTime() > quiet);
          env.cluster.fault = operation -> operation.equals("report") ? slow() : null;
          cancel(what);
          var began = System.nanoTime();
          try {
            env.cluster.hang();
          } finally {
            took.set(System.nanoTime() - began);
            env.cluster.fault = operation -> null;
          }
        });
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(Duration.ofNanos(took.get())).isLessThan(Duration.ofSeconds(2));
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

  private static ApplicationFailure slow() {
    LockSupport.parkNanos(SLOW.toNanos());
    return null;
  }
}
