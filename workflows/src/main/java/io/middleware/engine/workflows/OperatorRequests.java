package io.middleware.engine.workflows;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.Work.Edit;
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
    var change = state.change();
    if (scope != null) {
      scope.generation().ifPresent(requested -> checkGeneration(change, requested));
      scope.operation().ifPresent(requested -> checkOperation(change, requested));
    }
    if (state.hasEnded()) {
      throw refused("%s has ended", subject(change));
    }
    if (state.tasks().areAllDone()) {
      throw refused("all tasks of %s are done", change.subject());
    }
  }

  private static String subject(ChangeRef change) {
    return switch (change.work()) {
      case Edit edit -> "the change of " + edit.subject();
      case OperationRef operation -> operation.subject();
    };
  }

  private static void checkGeneration(ChangeRef running, long requested) {
    if (!running.work().equals(new Edit(requested))) {
      throw refused(
          "the change of generation %d has %s; %s is being carried out",
          requested, requested <= running.generation() ? "ended" : "not begun", running.subject());
    }
  }

  private static void checkOperation(ChangeRef running, String requested) {
    if (!(running.work() instanceof OperationRef operation && operation.isNamed(requested))) {
      throw refused("Operation %s is not being carried out, but %s", requested, running.subject());
    }
  }

  String cancelChange(ChangeScope scope) {
    checkCancelChange(scope);
    changeCancels++;
    return accept("cancel of " + subject(state.change()));
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
    if (state.change().work() instanceof OperationRef operation) {
      throw refused(
          "%s is being carried out, and its tasks are not retried: wait for its end, or create another Operation",
          operation.subject());
    }
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
   * @throws NotYetException when it may be the plan that is being made, which the status shows a
   *     little earlier than the run knows it
   */
  void checkApprove(ApproveRequest request) {
    checkReadable(request);
    var waiting = state.approval();
    if (request != null && waiting.filter(request.hash()::equals).isPresent()) {
      return;
    }
    var subject = state.change().subject();
    if (state.isPlanning()) {
      throw new NotYetException("%s is being planned: try again in a moment".formatted(subject));
    }
    throw waiting
        .map(
            hash ->
                refused(
                    "the plan that waits for approval is %s (%s), not this one: see status.plan",
                    hash, subject))
        .orElseGet(() -> refused("no plan of %s waits for approval", subject));
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
                    "no task '%s' in %s; there are: %s",
                    Excerpt.of(id, LONGEST_ID), state.change().subject(), state.tasks().ids()));
  }

  /** The tasks are unknown before the change has begun. */
  static NotYetException notYet() {
    return new NotYetException("the change has not begun yet: try again in a moment");
  }

  /**
   * An ApplicationFailure: thrown from a handler it rejects the update without failing the workflow
   * task.
   */
  static ApplicationFailure refused(String format, Object... values) {
    return ApplicationFailure.newNonRetryableFailure(format.formatted(values), "Refused");
  }
}
