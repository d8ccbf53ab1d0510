package io.middleware.engine.watcher.change;

import io.middleware.engine.workflows.ApproveRequest;
import io.middleware.engine.workflows.CancelRequest;
import io.middleware.engine.workflows.ChangeScope;
import io.middleware.engine.workflows.RetryRequest;

/** What an operator asks of the change that runs, or has ended. */
public sealed interface Control {

  /** Lets its plan begin. */
  record Approve(ApproveRequest plan) implements Control {}

  /** Cancels the whole change. */
  record CancelChange(ChangeScope scope) implements Control {}

  /** Cancels these tasks of it. */
  record CancelTasks(CancelRequest tasks) implements Control {}

  /** Tries these tasks of it again. */
  record RetryTasks(RetryRequest tasks) implements Control {}
}
