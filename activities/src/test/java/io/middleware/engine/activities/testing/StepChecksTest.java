package io.middleware.engine.activities.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.testing.TestCheck;
import io.middleware.engine.api.testing.TestCondition;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.condition.ConditionSources;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.planning.condition.Verdict;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.render.expression.UnreadableObjectException;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks over time. */
class StepChecksTest {
  private static final Verdict HOLDS = new Verdict.Holds("1");
  private static final Verdict NOT = new Verdict.DoesNotHold("0", "0, expected 1");

  private Instant now = Instant.parse("2026-11-26T03:00:00Z");

  @Test
  void shouldNotCountTheTimeInWhichNobodyCanLook() {
    // Given
    var checks = checks("10s", "0s");
    checks.look(conditions -> NOT);
    // When
    pass(5);
    assertUnavailable(checks);
    pass(60);
    // Then
    assertThat(checks.look(conditions -> NOT)).contains("check lag: 0, expected 1");
    pass(4);
    assertThat(checks.look(conditions -> HOLDS)).isEmpty();
  }

  @Test
  void shouldFailAfterAnOutageWhenItsOwnTimeIsOver() {
    // Given
    var checks = checks("10s", "0s");
    assertUnavailable(checks);
    pass(60);
    checks.look(conditions -> NOT);
    // When
    pass(10);
    // Then
    assertThatThrownBy(() -> checks.look(conditions -> NOT))
        .hasMessageContaining("check lag did not hold within 10s");
  }

  @Test
  void shouldNotHoldWhileNobodyLooks() {
    // Given
    var checks = checks("10s", "20s");
    checks.look(conditions -> HOLDS);
    // When
    pass(5);
    assertUnavailable(checks);
    pass(60);
    // Then
    assertThat(checks.look(conditions -> HOLDS)).isPresent();
    pass(15);
    assertThat(checks.look(conditions -> HOLDS)).isEmpty();
  }

  @Test
  void shouldGoOnWhereTheAttemptBeforeHasEnded() {
    // Given
    var before = checks("10s", "20s");
    before.look(conditions -> HOLDS);
    pass(15);
    before.look(conditions -> HOLDS);
    pass(60);
    // When
    var after = checks("10s", "20s", Optional.of(copy(before.seen())));
    // Then
    assertThat(after.look(conditions -> HOLDS)).isPresent();
    pass(5);
    assertThat(after.look(conditions -> HOLDS)).isEmpty();
  }

  @Test
  void shouldGiveNoMoreTimeForAnotherAttempt() {
    // Given
    var before = checks("10s", "0s");
    pass(8);
    before.look(conditions -> NOT);
    // When
    var after = checks("10s", "0s", Optional.of(copy(before.seen())));
    pass(60);
    after.look(conditions -> NOT);
    pass(2);
    // Then
    assertThatThrownBy(() -> after.look(conditions -> NOT))
        .hasMessageContaining("check lag did not hold within 10s");
  }

  /** As it arrives at the next attempt. */
  private static ChecksSeen copy(ChecksSeen seen) {
    var converter = DefaultDataConverter.newDefaultInstance();
    return converter.fromPayload(
        converter.toPayload(seen).orElseThrow(), ChecksSeen.class, ChecksSeen.class);
  }

  @Test
  void shouldNotTakeAnOutageForAnAnswer() {
    var conditions = conditions("object('App', 'a').x == 1");
    assertThatThrownBy(() -> verdict(conditions, FaultKind.UNAVAILABLE))
        .isInstanceOf(ApplicationFailure.class);
    assertThatThrownBy(() -> verdict(conditions, FaultKind.FORBIDDEN))
        .isInstanceOf(ApplicationFailure.class);
    assertThat(verdict(conditions, FaultKind.INVALID)).isInstanceOf(Verdict.NotKnown.class);
    assertThat(verdict(conditions("object('App', 'a').x == 1 || true"), FaultKind.UNAVAILABLE))
        .isInstanceOf(Verdict.Holds.class);
  }

  private static TestConditions conditions(String cel) {
    return TestConditions.of(ConditionScope.INTEGRATION_TEST, true, List.of(cel(cel)));
  }

  private static Verdict verdict(TestConditions conditions, FaultKind fault) {
    return conditions.verdict(
        new ConditionSources(
            Map.of(),
            expression -> Optional.empty(),
            (apiVersion, kind, name) -> {
              throw new UnreadableObjectException(Faults.of(fault, "no"));
            },
            Map.of(),
            HttpSources.of(EndpointPolicy.of(List.of(), ""))));
  }

  private static TestCondition cel(String text) {
    return new TestCondition(text, null, null);
  }

  private void assertUnavailable(StepChecks checks) {
    assertThatThrownBy(
            () ->
                checks.look(
                    conditions -> {
                      throw Faults.of(FaultKind.UNAVAILABLE, "no answer");
                    }))
        .isInstanceOf(ApplicationFailure.class);
  }

  private StepChecks checks(String within, String keeps) {
    return checks(within, keeps, Optional.empty());
  }

  private StepChecks checks(String within, String keeps, Optional<ChecksSeen> earlier) {
    return new StepChecks(
        List.of(new TestCheck("lag", within, keeps, List.of(cel("true")), null)),
        () -> now,
        earlier);
  }

  private void pass(int seconds) {
    now = now.plusSeconds(seconds);
  }
}
