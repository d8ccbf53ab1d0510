package io.middleware.engine.workflows;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.port.TaskProgress.Result;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides how a change ends from the ends of its tasks. */
final class ChangeConclusion {
  private final ChangeTasks tasks;

  ChangeConclusion(ChangeTasks tasks) {
    this.tasks = tasks;
  }

  /**
   * @param message one line for people; for a change that was stopped it lists the end of each task
   */
  record Ending(ChangeOutcome outcome, String reason, String message) {}

  /**
   * @param stopped why the work was stopped; empty when it was not
   */
  Ending after(Optional<StopReason> stopped) {
    var failed = tasks.with(TaskPhase.FAILED).findFirst();
    if (failed.isPresent()) {
      return failed(failed.get());
    }
    var isAnyCancelled = tasks.with(TaskPhase.CANCELLED).findAny().isPresent();
    if (isAnyCancelled || (stopped.isPresent() && !tasks.arePlanned())) {
      var stop = stopped.orElse(StopReason.CANCELLED);
      return new Ending(stop.outcome(), stop.fault().reason(), message(stop.fault()));
    }
    var skipped =
        tasks.with(TaskPhase.SKIPPED).map(task -> task.task().id()).collect(joining(", "));
    return skipped.isEmpty()
        ? new Ending(ChangeOutcome.SUCCEEDED, "", "")
        : new Ending(ChangeOutcome.FAILED, "TasksLeft", "not retried and still to do: " + skipped);
  }

  private static Ending failed(TaskProgress task) {
    var fault = task.fault().orElseThrow();
    var outcome =
        FaultKind.SUPERSEDED.label().equals(fault.reason())
            ? ChangeOutcome.SUPERSEDED
            : ChangeOutcome.FAILED;
    var message = "task " + task.task().id() + " failed: " + fault.message();
    return new Ending(outcome, fault.reason(), message);
  }

  private String message(Fault why) {
    return Stream.concat(Stream.of(why.message()), tasks.all().stream().map(ChangeConclusion::line))
        .collect(joining("; "));
  }

  private static String line(TaskProgress task) {
    var pods = task.result().map(ChangeConclusion::pods).orElse("");
    return task.task().id()
        + " "
        + task.phase().label()
        + (pods.isEmpty() ? "" : " (" + pods + ")");
  }

  private static String pods(Result result) {
    return Stream.of(
            pods("done", result.done()),
            pods("reverted", result.reverted()),
            pods("left", result.left()),
            pods("not ready", result.notReady()))
        .filter(part -> !part.isEmpty())
        .collect(joining("; "));
  }

  private static String pods(String state, List<String> pods) {
    return pods.isEmpty() ? "" : state + " " + String.join(", ", pods);
  }
}
