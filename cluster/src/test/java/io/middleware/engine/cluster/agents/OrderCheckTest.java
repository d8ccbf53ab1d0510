package io.middleware.engine.cluster.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.middleware.engine.api.task.FaultKind;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OrderCheckTest {
  private static final List<String> REQUESTED = List.of("a", "b", "c");

  @Test
  void shouldAcceptAPermutation() {
    OrderCheck.requirePermutation("db-0", REQUESTED, List.of("c", "a", "b"));
  }

  @ParameterizedTest
  @MethodSource
  void shouldNameEachError(List<String> answer, String errors) {
    assertThatThrownBy(() -> OrderCheck.requirePermutation("db-0", REQUESTED, answer))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FaultKind.INVALID_ORDER.label());
              assertThat(failure.isNonRetryable()).isTrue();
              assertThat(failure.getOriginalMessage())
                  .isEqualTo(
                      "the agent of pod db-0 returned an order that does not list each of the 3"
                          + " requested names once: "
                          + errors);
            });
  }

  static Stream<Arguments> shouldNameEachError() {
    return Stream.of(
        arguments(List.of("a", "b"), "missing: c"),
        arguments(List.of("a", "b", "c", "d"), "unknown: d"),
        arguments(List.of("a", "b", "b"), "missing: c; more than once: b"),
        arguments(List.of("a", "b", "c", "c"), "more than once: c"),
        arguments(List.of("x", "", "a"), "unknown: x, (empty); missing: b, c"));
  }

  @Test
  void shouldShortenLongAnswers() {
    var answer = IntStream.range(0, 5000).mapToObj(i -> "x".repeat(50_000 / (i + 1)) + i).toList();
    assertThatThrownBy(() -> OrderCheck.requirePermutation("db-0", REQUESTED, answer))
        .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(1000))
        .hasMessageContaining("and 4995 more");
  }
}
