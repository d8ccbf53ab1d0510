package io.middleware.engine.workflows.testing;

import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.Functions;
import io.temporal.workflow.Workflow;

/** The end of the step during which a load runs. */
final class StepEnd {
  private final CompletablePromise<Void> end = Workflow.newPromise();

  /** The step has ended; a repeat is harmless. */
  void finish() {
    end.complete(null);
  }

  boolean hasCome() {
    return end.isCompleted();
  }

  /** Does what is cancelled at the end of the step. */
  void until(Functions.Proc work) {
    var scope = Workflow.newCancellationScope(work::apply);
    end.thenApply(
        none -> {
          scope.cancel("its step has ended");
          return none;
        });
    scope.run();
  }
}
