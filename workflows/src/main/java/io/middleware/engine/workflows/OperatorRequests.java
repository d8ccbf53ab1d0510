package io.middleware.engine.workflows;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.request.ApproveRequest;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.OperatorRequest;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What operators request of a running change. A request is only checked and recorded here; the task
 * runners check for it between and during steps.
 */
final class OperatorRequests {
  private static final int LONGEST_ID = 200;

  private final OpenChange change;
  private final ChangeState state;
  private final Map<String, Integer> cancels = new TreeMap<>();
  private int changeCancels;
  private Optional<String> approved = Optional.empty();

  OperatorRequests(OpenChange change) {
    this.change = change;
    this.state = change.state();
  }

  /**
   * @throws ApplicationFailure with the reason when the tasks cannot be cancelled
   */
  void checkCancel(CancelRequest request) {
    checkReadable(request);
    for (var id :
        requireAny(request == null ? List.of() : request.cancelTaskIds(), CancelRequest.EXPECTED)) {
      var phase = task(id).phase();
      if (phase.isTerminal()) {
        throw refused(
            "task %s is %s: only a task that has not ended can be cancelled", id, phase.label());
      }
    }
  }

  String cancel(CancelRequest request) {
    checkCancel(request);
    request.cancelTaskIds().forEach(this::cancel);
    return accept("cancel of " + String.join(", ", request.cancelTaskIds()));
  }

  private void cancel(String id) {
    if (task(id).phase() == TaskPhase.PENDING) {
      state.tasks().cancelPending(id, StopReason.CANCELLED.fault());
    } else {
      cancels.merge(id, 1, Integer::sum);
    }
  }

  /**
   * @throws ApplicationFailure with the reason when the change cannot be cancelled
   */
  void checkCancelChange(ChangeScope scope) {
    checkReadable(scope);
    var running = state.change().generation();
    var requested = scope == null ? running : scope.generation().orElse(running);
    if (requested != running) {
      throw refused(
          "the change of generation %d has %s; generation %d is being carried out",
          requested, requested < running ? "ended" : "not begun", running);
    }
    if (state.hasEnded()) {
      throw refused("the change of generation %d has ended", running);
    }
    if (state.tasks().areAllDone()) {
      throw refused("all tasks of generation %d are done", running);
    }
  }

  String cancelChange(ChangeScope scope) {
    checkCancelChange(scope);
    changeCancels++;
    return accept("cancel of the change of generation " + state.change().generation());
  }

  /** How often a cancel of this task was requested, of the task alone or of the whole change. */
  int cancelsOf(String id) {
    return cancels.getOrDefault(id, 0) + changeCancels;
  }

  /** How many cancels were requested, of tasks and of the change. */
  int cancels() {
    return cancels.values().stream().mapToInt(Integer::intValue).sum() + changeCancels;
  }

  boolean isChangeCancelled() {
    return changeCancels > 0;
  }

  /**
   * @throws ApplicationFailure with the reason when the tasks cannot be retried
   */
  void checkRetry(RetryRequest request) {
    checkReadable(request);
    var ids =
        requireAny(request == null ? List.of() : request.retryTaskIds(), RetryRequest.EXPECTED);
    for (var id : ids) {
      var phase = task(id).phase();
      if (phase == TaskPhase.DONE || !phase.isTerminal()) {
        throw refused(
            "task %s is %s: only a task that failed, was skipped or cancelled can be retried",
            id, phase.label());
      }
      var missing =
          state.tasks().dependencies(id).stream()
              .filter(d -> !ids.contains(d) && task(d).phase().isTerminal())
              .filter(d -> task(d).phase() != TaskPhase.DONE)
              .collect(joining(", "));
      if (!missing.isEmpty()) {
        throw refused("task %s depends on %s, not done either: retry that as well", id, missing);
      }
    }
    change.checkRetry();
  }

  String retry(RetryRequest request) {
    checkRetry(request);
    var answer = accept("retry of " + request.ids());
    change.retry(request);
    return answer;
  }

  /**
   * @throws ApplicationFailure with the reason when the plan cannot be approved
   */
  void checkApprove(ApproveRequest request) {
    checkReadable(request);
    var waiting =
        state
            .approval()
            .orElseThrow(
                () ->
                    refused(
                        "no plan of generation %d waits for approval",
                        state.change().generation()));
    if (request == null || !waiting.equals(request.hash())) {
      throw refused(
          "the plan that waits for approval is %s (generation %d), not this one: see status.plan",
          waiting, state.change().generation());
    }
  }

  String approve(ApproveRequest request) {
    checkApprove(request);
    approved = Optional.of(request.hash());
    return accept("approval of plan " + request.hash());
  }

  boolean isApproved(String hash) {
    return approved.filter(hash::equals).isPresent();
  }

  private String accept(String request) {
    state.note(request + " accepted");
    return request + " accepted";
  }

  private static void checkReadable(OperatorRequest request) {
    if (request != null && request.problem().isPresent()) {
      throw refused("%s", request.problem().get());
    }
  }

  private static List<String> requireAny(List<String> ids, String expected) {
    if (ids.isEmpty()) {
      throw refused("no task given; expected %s", expected);
    }
    return ids;
  }

  private TaskProgress task(String id) {
    return state
        .tasks()
        .find(id)
        .orElseThrow(
            () ->
                refused(
                    "no task '%s' in generation %d; there are: %s",
                    id.length() > LONGEST_ID ? id.substring(0, LONGEST_ID) + "…" : id,
                    state.change().generation(),
                    state.tasks().ids()));
  }

  /** The tasks are unknown before the change has begun. */
  static ApplicationFailure notYet() {
    return ApplicationFailure.newNonRetryableFailure(
        "the change has not begun yet: try again in a moment", AppChangeWorkflow.NOT_YET);
  }

  /**
   * An ApplicationFailure: thrown from a handler it rejects the update without failing the workflow
   * task.
   */
  static ApplicationFailure refused(String format, Object... values) {
    return ApplicationFailure.newNonRetryableFailure(format.formatted(values), "Refused");
  }
}
