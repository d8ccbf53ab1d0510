package io.middleware.engine.watcher.change;

import io.middleware.engine.workflows.AppChangeWorkflow;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.request.ApproveRequest;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.util.Optional;

/** A change of generation 7 that never ends, and counts the cancels that it accepts. */
public final class AnsweringChange implements AppChangeWorkflow {
  private int cancels;

  @Override
  public String run(ChangeRequest carried) {
    Workflow.await(() -> false);
    return "ended";
  }

  @Override
  public void changed(ChangeRequest request) {}

  @Override
  public void orderDegraded(String why) {}

  @Override
  public String cancelChange(ChangeScope scope) {
    cancels++;
    return "cancel %d of generation %d".formatted(cancels, generation(scope));
  }

  @Override
  public void canCancelChange(ChangeScope scope) {
    if (generation(scope) != 7) {
      throw ApplicationFailure.newNonRetryableFailure(
          "there is no generation " + generation(scope), "Refused");
    }
  }

  private static long generation(ChangeScope scope) {
    return scope.generation().orElseThrow();
  }

  @Override
  public String cancelTasks(CancelRequest request) {
    return "";
  }

  @Override
  public void canCancelTasks(CancelRequest request) {}

  @Override
  public String retryTasks(RetryRequest request) {
    return "";
  }

  @Override
  public void canRetryTasks(RetryRequest request) {}

  @Override
  public String approve(ApproveRequest request) {
    return "";
  }

  @Override
  public void canApprove(ApproveRequest request) {}

  @Override
  public Optional<ChangeProgress> change() {
    return Optional.empty();
  }
}
