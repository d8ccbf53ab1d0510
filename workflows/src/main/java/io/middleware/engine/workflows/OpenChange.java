package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.OperationRequest;
import io.middleware.engine.workflows.request.RetryRequest;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import java.util.function.Consumer;

/** The change that a run carries out, and the request that the next run carries out. */
final class OpenChange {
  private final StatusMirror mirror = new StatusMirror(this::progress, this::cancels);
  private final ChangeState state;
  private final OperatorRequests requests;
  private final CancellationScope work;
  private ChangeRequest current;
  private Optional<ChangeRequest> pending = Optional.empty();
  private boolean deletionRepeated; // signalled again, possibly after the last read of the App
  private boolean closing; // the run passes nothing on any more
  private Optional<StopReason> firstStop = Optional.empty();

  /**
   * @param work runs in a scope of its own, which is cancelled when the change must stop
   */
  OpenChange(ChangeRequest request, Consumer<OpenChange> work) {
    this.current = request;
    this.state = new ChangeState(request, mirror::touch);
    this.requests = new OperatorRequests(this);
    this.work = Workflow.newCancellationScope(() -> work.accept(this));
    mirror.open();
    request.operation().flatMap(OperationRequest::edit).ifPresent(this::add);
    request.retry().ifPresent(retry -> state.note("retry of %s accepted".formatted(retry.ids())));
  }

  ChangeState state() {
    return state;
  }

  OperatorRequests requests() {
    return requests;
  }

  ChangeProgress progress() {
    return state.progress();
  }

  ChangeRequest current() {
    return current;
  }

  Optional<ChangeRequest> pending() {
    return pending;
  }

  /** Takes a request that the next run carries out, unless a newer one is known already. */
  void add(ChangeRequest request) {
    deletionRepeated |= request.repeats(current);
    if (!request.overtakes(current)
        || pending.filter(known -> !request.overtakes(known)).isPresent()) {
      return;
    }
    var next = request.after(current);
    if (next.paused() && !isPaused()) {
      next = next.in(true, false); // a user who pauses the App does not ask to stop the change
    }
    pending = Optional.of(next);
    state.pending(next);
    state.paused(next.paused());
  }

  /** Before there is a plan, only the request says so. */
  private boolean isPaused() {
    return state.isPaused()
        || (current.paused()
            && !state.tasks().arePlanned()
            && Workflow.getVersion("paused-before-its-plan", Workflow.DEFAULT_VERSION, 1) >= 1);
  }

  /**
   * @throws ApplicationFailure with the reason when no task can be retried now
   */
  void checkRetry() {
    pending
        .filter(next -> next.generation() > current.generation())
        .ifPresent(
            next -> {
              throw OperatorRequests.refused(
                  "generation %d replaces this change: retry its tasks instead", next.generation());
            });
    if (closing || work.isCancelRequested()) {
      throw OperatorRequests.refused("the change is being stopped: retry when it has ended");
    }
  }

  /** Retries the tasks in this run, or in the next one when this change has ended. */
  void retry(RetryRequest request) {
    if (state.hasEnded()) {
      add(pending.orElseGet(current::forAllTasks).again(request));
    } else {
      state.tasks().retry(request);
    }
  }

  /** The plan is of the newest generation, so it may include the pending one. */
  void carriesOut(long generation, boolean paused) {
    current = current.at(generation);
    state.carriesOut(generation);
    if (pending.filter(next -> !next.overtakes(current)).isPresent()) {
      pending = Optional.empty();
      state.nothingPending();
    }
    state.paused(pending.map(ChangeRequest::paused).orElse(paused));
  }

  /** Runs the work until it ends or must stop; a failure of the work is recorded. */
  void run() {
    try {
      Async.procedure(this::cancelWhenStopped);
      work.run();
    } catch (TemporalFailure e) {
      state.fail(e);
      firstStop = firstStop.or(() -> whyCancelled(e));
    }
  }

  /** Also after a native cancel of the run, which ends the wait. */
  private void cancelWhenStopped() {
    try {
      Workflow.await(() -> stop().isPresent());
      firstStop = stop();
    } catch (CanceledFailure e) {
      firstStop = Optional.of(StopReason.CANCELLED);
      if (Workflow.getVersion("native-cancel-noted", Workflow.DEFAULT_VERSION, 1) >= 1) {
        state.note("the run was cancelled through Temporal");
      }
    }
    var why = firstStop.orElseThrow().fault();
    state.tasks().cancelAllPending(why);
    work.cancel(why.message());
  }

  /** A native cancel of the run may reach the work before it reaches {@link #cancelWhenStopped}. */
  private Optional<StopReason> whyCancelled(TemporalFailure failure) {
    return FailureCauses.isCancel(failure)
        ? stop().or(() -> Optional.of(StopReason.CANCELLED))
        : Optional.empty();
  }

  /** Why the work must stop, if it must. */
  Optional<StopReason> stop() {
    if (pending.filter(next -> next.ends(current)).isPresent()) {
      return Optional.of(StopReason.DELETED);
    }
    if (state.tasks().arePlanned()
        && pending.filter(next -> next.supersedes(current)).isPresent()) {
      return Optional.of(StopReason.SUPERSEDED);
    }
    return requests.isChangeCancelled() ? Optional.of(StopReason.CANCELLED) : firstStop;
  }

  /** How many cancels of steps there were; the end of the work is one. */
  private int cancels() {
    return requests.cancels() + (work.isCancelRequested() || stop().isPresent() ? 1 : 0);
  }

  /** Nothing has begun, and a pending edit replaces the plan. */
  void supersedeByPending() {
    if (pending.isPresent()) {
      firstStop = stop().or(() -> Optional.of(StopReason.SUPERSEDED));
    }
  }

  /**
   * Whether the next run has to carry this change on, because Temporal bounds the history of a run.
   * It plans what is left, so no task may have ended otherwise than done.
   */
  boolean mustPassOn() {
    return Workflow.getInfo().isContinueAsNewSuggested()
        && Workflow.isEveryHandlerFinished()
        && stop().isEmpty()
        && state.tasks().areDoneOrPending();
  }

  /** Passes the change on to the next run if that is needed; no step may be under way. */
  void passOnWhenLong() {
    if (mustPassOn()) {
      var notes = state.progress().notes();
      var same = current.operation().map(this::withPending).map(current::of).orElse(current);
      NextRun.start(same.superseding(notes.superseded()), notes.requests());
    }
  }

  /** The plan of a generation is of the newest one; that of an Operation leaves an edit pending. */
  private OperationRequest withPending(OperationRequest operation) {
    return new OperationRequest(operation.ref(), pending);
  }

  /** Writes the end of the change to the App's status. */
  void conclude() {
    state.conclude(firstStop.or(this::stop));
    mirror.close();
  }

  /** The run is about to be cancelled, so a retry must not be accepted. */
  void passesNothingOn() {
    closing = true;
  }

  /** What the next run carries out, also a failed deletion that was requested again. */
  Optional<ChangeRequest> next() {
    return deletionRepeated && state.outcome() == ChangeOutcome.FAILED
        ? pending.or(() -> Optional.of(current))
        : pending;
  }
}
