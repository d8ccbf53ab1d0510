package io.middleware.engine.watcher.change;

import io.middleware.engine.workflows.request.ApproveRequest;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;

/** What an operator asks of the change that runs, or has ended. */
public sealed interface ControlRequest {

  /** Lets its plan begin. */
  record Approve(ApproveRequest plan) implements ControlRequest {}

  /** Cancels the whole change. */
  record CancelChange(ChangeScope scope) implements ControlRequest {}

  /** Cancels these tasks of it. */
  record CancelTasks(CancelRequest tasks) implements ControlRequest {}

  /** Tries these tasks of it again. */
  record RetryTasks(RetryRequest tasks) implements ControlRequest {}
}
