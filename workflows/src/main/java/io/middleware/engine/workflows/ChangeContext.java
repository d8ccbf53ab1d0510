package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What all tasks of a change share.
 *
 * @param stop why all work is stopped, if it is
 * @param background checks that are repeated beside the tasks
 */
record ChangeContext(
    ChangeState state,
    OperatorRequests requests,
    ChangePlan plan,
    Supplier<Optional<StopReason>> stop,
    BackgroundChecks background) {

  ChangeTasks tasks() {
    return state.tasks();
  }

  TaskRef ref(ChangeTask task) {
    return new TaskRef(state.change(), task.id(), task.type(), task.component())
        .with(plan.pluginRevision())
        .checkedBy(task.checks())
        .hooked(task.hooks().isPresent())
        .watchedBy(plan.background());
  }

  /** Whether nothing forbids a rollback. */
  boolean allowsRollback() {
    return stop.get().map(StopReason::allowsRollback).orElse(true);
  }
}
