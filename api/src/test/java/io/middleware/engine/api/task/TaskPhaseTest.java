package io.middleware.engine.api.task;

import static io.middleware.engine.api.task.TaskPhase.CANCELLED;
import static io.middleware.engine.api.task.TaskPhase.DONE;
import static io.middleware.engine.api.task.TaskPhase.FAILED;
import static io.middleware.engine.api.task.TaskPhase.IN_PROGRESS;
import static io.middleware.engine.api.task.TaskPhase.PENDING;
import static io.middleware.engine.api.task.TaskPhase.RETRY_PENDING;
import static io.middleware.engine.api.task.TaskPhase.SKIPPED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TaskPhaseTest {
  /** As docs/concepts.md draws it. */
  private static final Map<TaskPhase, Set<TaskPhase>> MOVES =
      Map.of(
          PENDING, Set.of(IN_PROGRESS, SKIPPED, CANCELLED),
          IN_PROGRESS, Set.of(DONE, FAILED, CANCELLED, RETRY_PENDING),
          RETRY_PENDING, Set.of(IN_PROGRESS, FAILED, CANCELLED),
          DONE, Set.of(),
          FAILED, Set.of(PENDING),
          SKIPPED, Set.of(PENDING),
          CANCELLED, Set.of(PENDING));

  static Stream<Arguments> pairs() {
    return Stream.of(TaskPhase.values())
        .flatMap(from -> Stream.of(TaskPhase.values()).map(to -> Arguments.of(from, to)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void shouldMoveAsTheTableSaysAndNotOtherwise(TaskPhase from, TaskPhase to) {
    // When, Then
    if (MOVES.get(from).contains(to)) {
      assertThat(from.to(to)).isEqualTo(to);
    } else {
      assertThatThrownBy(() -> from.to(to))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a task cannot go from " + from.label() + " to " + to.label());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldNameTheSuccessorsOfTheTable(TaskPhase phase) {
    // When, Then
    assertThat(phase.successors()).isEqualTo(MOVES.get(phase));
  }

  @Test
  void shouldEndInFourPhases() {
    // When, Then
    assertThat(TaskPhase.values())
        .filteredOn(TaskPhase::isTerminal)
        .containsExactly(DONE, FAILED, SKIPPED, CANCELLED);
  }
}
