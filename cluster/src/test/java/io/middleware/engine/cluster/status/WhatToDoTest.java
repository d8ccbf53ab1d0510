package io.middleware.engine.cluster.status;

import static io.middleware.engine.api.task.TaskPhase.CANCELLED;
import static io.middleware.engine.api.task.TaskPhase.DONE;
import static io.middleware.engine.api.task.TaskPhase.FAILED;
import static io.middleware.engine.api.task.TaskPhase.IN_PROGRESS;
import static io.middleware.engine.cluster.status.Progress.LATER;
import static io.middleware.engine.cluster.status.Progress.NOW;
import static io.middleware.engine.cluster.status.Progress.START;
import static io.middleware.engine.cluster.status.Progress.app;
import static io.middleware.engine.cluster.status.Progress.fresh;
import static io.middleware.engine.cluster.status.Progress.unplanned;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.change.TaskResult;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.Hold;
import io.middleware.engine.workflows.port.ChangeProgress.Notes;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.port.TaskProgress.Result;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The status says what holds a change up, and what to do next. */
class WhatToDoTest {

  @Test
  void shouldSayHowToRetryAFailedChange() {
    // Given
    var progress =
        fresh()
            .move(0, IN_PROGRESS, START)
            .move(0, DONE, LATER)
            .move(1, IN_PROGRESS, LATER)
            .move(1, FAILED, LATER)
            .ends(ChangeOutcome.FAILED, "TaskTimedOut", "it took too long");
    // When
    var status = progress.status(app(null));
    // Then
    assertThat(condition(status, Reasons.STALLED).getMessage())
        .isEqualTo(
            "it took too long; to continue from here, edit the App, or retry the same change: "
                + "kubectl annotate mwapp -n shop cache 'middleware.io/retry-control="
                + "{\"retryTaskIds\": [\"7-versionupgrade-redis-nodes\"], \"resetDependencies\": true}'");
  }

  /** There is nothing to correct in the App itself. */
  @Test
  void shouldSayWhenAnAppIsDeletedThatOthersUse() {
    // When
    var status =
        unplanned()
            .ends(ChangeOutcome.REJECTED, Reasons.IN_USE, "App cache is not deleted")
            .status(app(null));
    // Then
    assertThat(condition(status, Reasons.STALLED).getMessage())
        .isEqualTo(
            "App cache is not deleted; nothing was changed: it is deleted by itself as soon as no other App uses it");
  }

  @Test
  void shouldNotSuggestARetryOfTasksThatNeverBegan() {
    // When
    var status = unplanned().ends(ChangeOutcome.FAILED, "Invalid", "no").status(app(null));
    // Then
    assertThat(condition(status, Reasons.STALLED).getMessage())
        .isEqualTo("no; to continue from here, edit the App");
  }

  @Test
  void shouldKeepTheTasksOfTheGenerationUntilItIsPlannedAgain() {
    // Given
    var failed =
        fresh()
            .move(0, IN_PROGRESS, START)
            .move(0, FAILED, LATER)
            .ends(ChangeOutcome.FAILED, "Invalid", "no")
            .status(app(null));
    // When
    var status = unplanned().status(app(failed));
    // Then
    assertThat(status.tasks()).isEqualTo(failed.tasks());
    assertThat(status.change().outcome()).isNull();
  }

  @Test
  void shouldSayWhatHoldsPlanningUp() {
    // Given
    var fault = new Fault("Unavailable", "apply Service shop/cache: a webhook does not answer");
    // When
    var status = status(unplanned(), Optional.of(fault), false, List.of());
    // Then
    var stalled = condition(status, Reasons.STALLED);
    assertThat(stalled.getStatus()).isEqualTo("True");
    assertThat(stalled.getReason()).isEqualTo("Unavailable");
    assertThat(stalled.getMessage())
        .isEqualTo("planning is retried until it succeeds: " + fault.message());
    assertThat(condition(status, Reasons.RECONCILING).getStatus()).isEqualTo("True");
  }

  @Test
  void shouldSayHowAPausedChangeGoesOn() {
    // When
    var paused = status(fresh(), Optional.empty(), true, List.of());
    var over =
        status(fresh().ends(ChangeOutcome.CANCELLED, "", ""), Optional.empty(), true, List.of());
    // Then
    assertThat(condition(paused, Reasons.PAUSED).getMessage())
        .isEqualTo(
            "the change of generation 7 is paused before its next step: set spec.paused to false to continue");
    assertThat(condition(paused, Reasons.STALLED).getStatus()).isEqualTo("False");
    assertThat(condition(paused, Reasons.STALLED).getMessage())
        .isEqualTo("the change continues when spec.paused is set to false");
    assertThat(Conditions.find(Optional.of(over), Reasons.PAUSED)).isEmpty();
  }

  @Test
  void shouldSayHowAPlanIsApproved() {
    // When
    var status = status(fresh(), Optional.empty(), Optional.of("c0ffee"), false, List.of());
    // Then
    assertThat(condition(status, Reasons.STALLED).getMessage())
        .isEqualTo("the change starts when it is approved");
    assertThat(condition(status, Reasons.AWAITING_APPROVAL).getMessage())
        .isEqualTo(
            "status.plan shows what the change would do; to start it: "
                + "kubectl annotate mwapp -n shop cache 'middleware.io/approve=c0ffee'");
    assertThat(condition(status, Reasons.RECONCILING).getMessage())
        .isEqualTo("the plan of generation 7 is waiting for approval");
  }

  @Test
  void shouldShowTheResultOfACancelAndItsRequest() {
    // Given
    var task =
        fresh()
            .move(0, IN_PROGRESS, START)
            .move(0, CANCELLED, LATER)
            .tasks()
            .getFirst()
            .with(new Result(List.of("a-0"), List.of("a-1"), List.of("a-2"), List.of("a-3")));
    var request = "2026-11-21T10:00:20Z cancel of 7-versionupgrade-sentinel accepted";
    // When
    var status = status(fresh().with(0, task), Optional.empty(), false, List.of(request));
    // Then
    assertThat(status.change().requests()).containsExactly(request);
    assertThat(status.tasks().getFirst().result())
        .isEqualTo(new TaskResult(List.of("a-0"), List.of("a-1"), List.of("a-2"), List.of("a-3")));
  }

  private static AppStatus status(
      Progress progress, Optional<Fault> heldUp, boolean paused, List<String> requests) {
    return status(progress, heldUp, Optional.empty(), paused, requests);
  }

  private static AppStatus status(
      Progress progress,
      Optional<Fault> heldUp,
      Optional<String> approval,
      boolean paused,
      List<String> requests) {
    var facts = progress.facts();
    var all =
        new ChangeProgress(
            facts.change(),
            facts.startedAt(),
            facts.planned(),
            facts.tasks(),
            facts.pending(),
            new Hold(heldUp, approval, paused),
            new Notes(facts.notes().superseded(), facts.notes().degradedOrder(), requests),
            facts.end());
    return AppStatusFactory.of(app(null), all, NOW);
  }

  private static Condition condition(AppStatus status, String type) {
    return Conditions.find(Optional.of(status), type).orElseThrow();
  }
}
