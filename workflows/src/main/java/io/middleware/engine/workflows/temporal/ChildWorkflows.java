package io.middleware.engine.workflows.temporal;

import io.middleware.engine.api.task.Backoff;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancelExternalWorkflowException;
import io.temporal.workflow.ChildWorkflowCancellationType;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.ChildWorkflowStub;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.List;

/**
 * Starts child workflows and waits for them.
 *
 * <p>A reset of an open run leaves its children running under the ids that the new run needs. Such
 * an orphan is cancelled, and the child is started when the orphan has ended.
 */
public final class ChildWorkflows {
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

  /** In characters of up to 4 bytes each; the server accepts 400 bytes. */
  private static final int LONGEST_SUMMARY = 99;

  private ChildWorkflows() {}

  /**
   * Which child to start; all of it is derived, so that the same child has the same id.
   *
   * @param task of which it is a part
   * @param arguments of its workflow method
   * @param abandoned what becomes of it when this run is terminated
   */
  public record Child(
      Class<?> type,
      TaskRef task,
      String id,
      String summary,
      List<Object> arguments,
      ParentClosePolicy abandoned) {

    /** One that ends at once with this run. */
    public Child(Class<?> type, TaskRef task, String id, String summary, List<Object> arguments) {
      this(type, task, id, summary, arguments, ParentClosePolicy.PARENT_CLOSE_POLICY_TERMINATE);
    }

    private ChildWorkflowStub stub() {
      return Workflow.newUntypedChildWorkflowStub(
          type.getSimpleName(),
          ChildWorkflowOptions.newBuilder()
              .setWorkflowId(id)
              .setStaticSummary(shortened())
              .setPriority(TaskPriority.BEGUN)
              .setWorkflowTaskTimeout(WorkflowPolicy.TASK_TIMEOUT)
              .setTypedSearchAttributes(ChangeSearchAttributes.ofTask(task.change(), task.type()))
              .setParentClosePolicy(abandoned)
              .setCancellationType(ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED)
              .build());
    }

    private String shortened() {
      return summary.codePointCount(0, summary.length()) <= LONGEST_SUMMARY
          ? summary
          : summary.substring(0, summary.offsetByCodePoints(0, LONGEST_SUMMARY)) + "…";
    }
  }

  /** Starts the child; the promise completes when the child has ended. */
  public static Promise<Void> start(Child child) {
    return Async.procedure(() -> run(child));
  }

  /** Runs the child to its end. */
  public static void run(Child child) {
    var pause = BACKOFF.first();
    while (true) {
      try {
        var stub = child.stub();
        var end = stub.executeAsync(Void.class, child.arguments().toArray());
        new LostChild(child.task().change(), stub.getExecution()).orEnd(end).get();
        return;
      } catch (ChildWorkflowFailure e) {
        if (!(e.getCause() instanceof WorkflowExecutionAlreadyStarted)) {
          throw e;
        }
        cancelOrphan(child.id());
      }
      NamedTimer.await(
          pause,
          "wait %s for the end of an orphan of the run before".formatted(NamedTimer.format(pause)));
      pause = BACKOFF.next(pause);
    }
  }

  /** Waits until all have ended, however they end; then throws the first failure, if any. */
  public static void awaitAll(List<? extends Promise<?>> running) {
    TemporalFailure first = null;
    for (Promise<?> promise : running) {
      try {
        promise.get();
      } catch (TemporalFailure e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private static void cancelOrphan(String id) {
    try {
      Workflow.newUntypedExternalWorkflowStub(id).cancel();
    } catch (CancelExternalWorkflowException e) {
      Workflow.getLogger(ChildWorkflows.class).info("orphan {} has already ended", id);
    }
  }
}
