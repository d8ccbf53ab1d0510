package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.FaultKind;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A status that could not be written is written again until it is. */
class UnwrittenStatusIT {
  private final AtomicInteger failed = new AtomicInteger();
  private ChangeEnvironment env;

  @AfterEach
  void stop() {
    env.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultKind.class,
      names = {"CONFLICT", "FORBIDDEN"})
  void shouldWriteAgainWhileNothingElseHappens(FaultKind kind) {
    // Given a status that cannot be written while a step takes long
    env = ChangeEnvironment.withApp(false);
    env.during(
        "apply sentinel/all",
        () -> {
          env.cluster.fault = operation -> operation.equals("report") ? fail(2, kind) : null;
          env.open().signal("orderDegraded", "no agent answers");
          env.await(() -> env.cluster.lastReport().notes().degradedOrder().isPresent());
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(failed).hasValue(2);
  }

  @Test
  void shouldWriteTheEndWhenItMayAgain() {
    // Given
    env = ChangeEnvironment.withApp(true);
    env.cluster.fault =
        operation -> operation.equals("report end") ? fail(5, FaultKind.FORBIDDEN) : null;
    // When
    env.change(7);
    env.temporal.sleep(Duration.ofMinutes(10));
    // Then
    assertThat(env.cluster.ends()).containsExactly("7 Succeeded");
    assertThat(failed).hasValue(5);
  }

  @Test
  void shouldNotInsistWhenTheAppIsAnotherRuns() {
    // Given
    env = ChangeEnvironment.withApp(true);
    env.cluster.fault =
        operation -> operation.equals("report end") ? fail(9, FaultKind.SUPERSEDED) : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(failed).hasValue(1);
  }

  private ApplicationFailure fail(int times, FaultKind kind) {
    if (failed.get() >= times) {
      return null;
    }
    failed.incrementAndGet();
    return fails(kind, "cannot be written");
  }
}
