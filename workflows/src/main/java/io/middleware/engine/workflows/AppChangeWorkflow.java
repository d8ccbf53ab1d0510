package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.request.ApproveRequest;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.UpdateValidatorMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.Optional;

/**
 * One run is one change of one App, or one Operation on it. The id {@code app/<namespace>/<name>}
 * allows one run at a time; a generation that arrives during a run is carried out by the next run.
 *
 * <p>Operators' requests are updates, which return an answer; a refused update leaves no trace in
 * the history. For clients without updates, a signal of the same name and input does the same; its
 * result is only shown in the status.
 */
@WorkflowInterface
public interface AppChangeWorkflow {
  /** The failure type of a request that came too early and may be repeated. */
  String NOT_YET = NotYetException.class.getName();

  /**
   * Carries the change out.
   *
   * @param carried an Operation, or the request that the previous run passed on; null when a signal
   *     carries the request. A run without either soon ends
   * @return how the change ended, in one line for people; the run fails with that line when the
   *     change failed or was rejected, and ends as cancelled when the change was cancelled
   */
  @WorkflowMethod
  String run(ChangeRequest carried);

  /** A generation to carry out; the newest wins. Also starts a run where none is open. */
  @SignalMethod(description = "A generation of the App to carry out, or tasks of it to retry")
  void changed(ChangeRequest request);

  /** Sent by a step of this change: why its order is not the agents' own. */
  @SignalMethod(description = "For the engine's own use")
  void orderDegraded(String why);

  /**
   * Cancels tasks that have not ended: at once when they have not begun, otherwise where they are.
   * Cancelling a task again while it is being rolled back stops its rollback.
   *
   * @return the result, for people
   */
  @UpdateMethod(description = "Cancels tasks: {\"cancelTaskIds\": [\"<task id>\"]}")
  String cancelTasks(CancelRequest request);

  /** Refuses with the reason, which names the existing ids. */
  @UpdateValidatorMethod(updateName = "cancelTasks")
  void canCancelTasks(CancelRequest request);

  /**
   * Cancels all tasks that have not ended. A second cancel stops their rollbacks.
   *
   * @param scope null means the running change
   */
  @UpdateMethod(
      description =
          "Cancels the change; a second cancel stops its rollback. {\"generation\": 7} cancels only"
              + " that generation")
  String cancelChange(ChangeScope scope);

  /** Refuses when no task can be cancelled any more, or when another change is meant. */
  @UpdateValidatorMethod(updateName = "cancelChange")
  void canCancelChange(ChangeScope scope);

  /** Retries tasks that failed, were skipped or cancelled; tasks that are done stay done. */
  @UpdateMethod(
      description =
          "Retries tasks: {\"retryTaskIds\": [\"<task id>\"], \"resetDependencies\": true}")
  String retryTasks(RetryRequest request);

  /** Refuses with the reason, which names the existing ids. */
  @UpdateValidatorMethod(updateName = "retryTasks")
  void canRetryTasks(RetryRequest request);

  /** Approves the waiting plan. When the plan has changed meanwhile, the new plan waits instead. */
  @UpdateMethod(description = "Approves the plan with the hash in status.plan: \"<hash>\"")
  String approve(ApproveRequest request);

  /** Refuses the hash of any other plan, and when no plan waits. */
  @UpdateValidatorMethod(updateName = "approve")
  void canApprove(ApproveRequest request);

  /** How far the change is; empty at the very start. */
  @QueryMethod(description = "How far the change is")
  Optional<ChangeProgress> change();
}
