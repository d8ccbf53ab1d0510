package io.middleware.engine.watcher.change;

import io.middleware.engine.workflows.request.ApproveRequest;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;

/** What an operator requests of the change that runs or has ended. */
public sealed interface ControlRequest {

  /** Approves the plan of the change. */
  record ApprovePlan(ApproveRequest plan) implements ControlRequest {}

  /** Cancels the whole change. */
  record CancelChange(ChangeScope scope) implements ControlRequest {}

  /** Cancels these tasks of the change. */
  record CancelTasks(CancelRequest tasks) implements ControlRequest {}

  /** Retries these tasks of the change. */
  record RetryTasks(RetryRequest tasks) implements ControlRequest {}
}
