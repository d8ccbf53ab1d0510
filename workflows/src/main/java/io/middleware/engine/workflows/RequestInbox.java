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
 * What operators ask of a running change. A request is checked and noted here, never carried out:
 * whoever works on a task looks at it.
 */
final class RequestInbox {
  private final ChangeState state;
  private final Map<String, Integer> cancels = new TreeMap<>();
  private int changeCancels;
  private Optional<String> approved = Optional.empty();

  RequestInbox(ChangeState state) {
    this.state = state;
  }

  /**
   * @throws ApplicationFailure with the reason when it cannot be granted
   */
  void checkCancel(CancelRequest request) {
    checkReadable(request);
    for (var id :
        named(request == null ? List.of() : request.cancelTaskIds(), CancelRequest.WANTED)) {
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
    return answer("cancel of " + String.join(", ", request.cancelTaskIds()));
  }

  private void cancel(String id) {
    if (task(id).phase() == TaskPhase.PENDING) {
      state.tasks().cancelPending(id, StopReason.CANCELLED.fault());
    } else {
      cancels.merge(id, 1, Integer::sum);
    }
  }

  /**
   * @throws ApplicationFailure with the reason when it cannot be granted
   */
  void checkCancelChange(ChangeScope scope) {
    checkReadable(scope);
    var open = state.change().generation();
    var meant = scope == null ? open : scope.generation().orElse(open);
    if (meant != open) {
      throw refused(
          "the change of generation %d has %s, generation %d is carried out now",
          meant, meant < open ? "ended" : "not begun", open);
    }
    if (state.hasEnded()) {
      throw refused("the change of generation %d has ended", state.change().generation());
    }
    if (state.tasks().areAllDone()) {
      throw refused("all tasks of generation %d are done", state.change().generation());
    }
  }

  String cancelChange(ChangeScope scope) {
    checkCancelChange(scope);
    changeCancels++;
    return answer("cancel of the change of generation " + state.change().generation());
  }

  /** How often a cancel of this task was asked for, by itself or with the whole change. */
  int cancelsOf(String id) {
    return cancels.getOrDefault(id, 0) + changeCancels;
  }

  boolean isChangeCancelled() {
    return changeCancels > 0;
  }

  /**
   * @throws ApplicationFailure with the reason when it cannot be granted
   */
  void checkRetry(RetryRequest request) {
    checkReadable(request);
    var ids = named(request == null ? List.of() : request.retryTaskIds(), RetryRequest.WANTED);
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
  }

  /** Whoever calls sees to it that the tasks are tried. */
  String retry(RetryRequest request) {
    checkRetry(request);
    return answer("retry of " + request.words());
  }

  /**
   * @throws ApplicationFailure with the reason when it cannot be granted
   */
  void checkApprove(ApproveRequest request) {
    checkReadable(request);
    var awaited =
        state
            .approval()
            .orElseThrow(
                () ->
                    refused(
                        "no plan of generation %d waits to be approved",
                        state.change().generation()));
    if (request == null || !awaited.equals(request.hash())) {
      throw refused(
          "the plan that waits to be approved is %s (generation %d), not this one: see status.plan",
          awaited, state.change().generation());
    }
  }

  String approve(ApproveRequest request) {
    checkApprove(request);
    approved = Optional.of(request.hash());
    return answer("approval of plan " + request.hash());
  }

  boolean isApproved(String hash) {
    return approved.filter(hash::equals).isPresent();
  }

  private String answer(String what) {
    state.note(what + " accepted");
    return what + " accepted";
  }

  private static void checkReadable(OperatorRequest request) {
    if (request != null && request.problem().isPresent()) {
      throw refused("%s", request.problem().get());
    }
  }

  private static List<String> named(List<String> ids, String wanted) {
    if (ids.isEmpty()) {
      throw refused("no task is named; wanted is %s", wanted);
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
                    id.length() > 200 ? id.substring(0, 200) + "…" : id,
                    state.change().generation(),
                    state.tasks().ids()));
  }

  /** Nobody knows the tasks before the change has begun. */
  static ApplicationFailure notYet() {
    return ApplicationFailure.newNonRetryableFailure(
        "the change has not begun yet: ask again in a moment", AppChangeWorkflow.NOT_YET);
  }

  /** Of all failures the one that no workflow task fails for, even if a handler throws it. */
  static ApplicationFailure refused(String format, Object... values) {
    var words = format.formatted(values);
    return ApplicationFailure.newNonRetryableFailure(words, "Refused");
  }
}
