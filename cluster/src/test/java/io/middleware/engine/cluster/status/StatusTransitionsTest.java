package io.middleware.engine.cluster.status;

import static io.middleware.engine.api.task.TaskPhase.CANCELLED;
import static io.middleware.engine.api.task.TaskPhase.DONE;
import static io.middleware.engine.api.task.TaskPhase.FAILED;
import static io.middleware.engine.api.task.TaskPhase.IN_PROGRESS;
import static io.middleware.engine.api.task.TaskPhase.RETRY_PENDING;
import static io.middleware.engine.api.task.TaskPhase.SKIPPED;
import static io.middleware.engine.cluster.status.Progress.LATER;
import static io.middleware.engine.cluster.status.Progress.START;
import static io.middleware.engine.cluster.status.Progress.app;
import static io.middleware.engine.cluster.status.Progress.fresh;
import static io.middleware.engine.cluster.status.Progress.unplanned;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeOutcome;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StatusTransitionsTest {
  private static final Progress BEGUN = fresh().move(0, IN_PROGRESS, START);
  private static final Progress DONE_ONE = BEGUN.move(0, DONE, LATER);
  private static final Progress RETRYING =
      BEGUN.fault(0, "Conflict", "busy").move(0, RETRY_PENDING, LATER);
  private static final Progress FAILED_ONE =
      BEGUN.fault(0, "Forbidden", "not yours").move(0, FAILED, LATER);

  static Stream<Arguments> steps() {
    return Stream.of(
        Arguments.of(unplanned(), fresh(), "Normal ChangePlanned"),
        Arguments.of(fresh(), fresh(), ""),
        Arguments.of(fresh(), BEGUN, "Normal TaskInProgress"),
        Arguments.of(BEGUN, DONE_ONE, "Normal TaskDone"),
        Arguments.of(fresh(), DONE_ONE, "Normal TaskInProgress, Normal TaskDone"),
        Arguments.of(BEGUN, RETRYING, "Warning TaskRetryPending"),
        Arguments.of(RETRYING, RETRYING.move(0, IN_PROGRESS, LATER), "Normal TaskInProgress"),
        Arguments.of(
            BEGUN, FAILED_ONE.move(1, SKIPPED, LATER), "Warning TaskFailed, Normal TaskSkipped"),
        Arguments.of(fresh(), fresh().move(1, CANCELLED, LATER), "Normal TaskCancelled"),
        Arguments.of(BEGUN, BEGUN.waits(8), "Normal PendingChange"),
        Arguments.of(BEGUN, BEGUN.degraded("by name"), "Warning OrderDegraded"),
        Arguments.of(BEGUN.waits(8), BEGUN.waits(9), "Normal PendingChange"),
        Arguments.of(BEGUN, BEGUN.ends(ChangeOutcome.SUCCEEDED, "", ""), "Normal ChangeSucceeded"),
        Arguments.of(BEGUN, BEGUN.ends(ChangeOutcome.FAILED, "x", "y"), "Warning ChangeFailed"),
        Arguments.of(
            BEGUN, BEGUN.ends(ChangeOutcome.TERMINATED, "", "y"), "Warning ChangeTerminated"),
        Arguments.of(
            unplanned(),
            unplanned().ends(ChangeOutcome.REJECTED, "InvalidSpec", "wrong"),
            "Warning ChangeRejected"));
  }

  @ParameterizedTest
  @MethodSource("steps")
  void shouldReportEachTransitionOnce(Progress before, Progress after, String expected) {
    // Given
    var was = before.status(app(null));
    var is = after.status(app(was));
    // When
    var events = StatusTransitions.between(was, is);
    // Then
    assertThat(events.stream().map(event -> event.kind().label() + " " + event.reason()).toList())
        .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected.split(", ")));
    assertThat(events.stream().map(EngineEvent::key)).doesNotHaveDuplicates();
    assertThat(StatusTransitions.between(is, is)).isEmpty();
  }

  @Test
  void shouldSayWhyATaskIsRetried() {
    // Given
    var was = BEGUN.status(app(null));
    // When
    var events = StatusTransitions.between(was, RETRYING.status(app(was)));
    // Then
    assertThat(events.getFirst().note())
        .isEqualTo(
            "task 7-versionupgrade-sentinel: runtime redis 7.0 → 7.2 on sentinel: Conflict: busy");
  }

  @Test
  void shouldSayWhyATaskWasCancelled() {
    // Given
    var was = BEGUN.status(app(null));
    var cancelled =
        BEGUN.fault(0, "Cancelled", "by request; rolled back").move(0, CANCELLED, LATER);
    // When
    var events = StatusTransitions.between(was, cancelled.status(app(was)));
    // Then
    assertThat(events.getFirst().note())
        .isEqualTo(
            "task 7-versionupgrade-sentinel: runtime redis 7.0 → 7.2 on sentinel:"
                + " Cancelled: by request; rolled back");
  }

  @Test
  void shouldNotAdviseToCancelWhatIsBeingCancelled() {
    // Given
    var rollingBack = BEGUN.fault(0, "Cancelled", "cancelled by request; rolling back");
    // When
    var advice = PendingChangeMessage.of(8, rollingBack.facts());
    // Then
    assertThat(advice)
        .isEqualTo(
            "generation 8 starts when the change of generation 7 ends, which is being"
                + " cancelled");
    assertThat(PendingChangeMessage.of(8, BEGUN.facts())).contains("cancel-control={}");
  }
}
