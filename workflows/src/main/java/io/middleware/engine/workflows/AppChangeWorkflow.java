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
import java.time.Duration;

/**
 * One run is one change of one App; the id {@code app/<namespace>/<name>} keeps two changes apart.
 * A generation that arrives during a run is carried out by the next run.
 *
 * <p>What operators may ask of a running change is an update, which answers; a refused one leaves
 * no trace in the history. A signal of the same name and input asks the same for clients that know
 * no updates; what came of it is only noted in the status.
 */
@WorkflowInterface
public interface AppChangeWorkflow {
  /**
   * How soon another worker goes on with this workflow or one of its children when the first died
   * while it decided on the next step. A decision takes milliseconds; where a local activity makes
   * it longer, the SDK says in time that it is still at it.
   */
  Duration WORKFLOW_TASK_TIMEOUT = Duration.ofSeconds(5);

  /** Type of the refusal of a request that came too early, and may be made again. */
  String NOT_YET = "NotYet";

  /**
   * Carries the change out.
   *
   * @param carried the wish that the run before this one left over; null when a signal brings it,
   *     without which the run soon ends
   * @return one line for people: how the change ended
   */
  @WorkflowMethod
  String run(ChangeRequest carried);

  /** A generation to carry out; the newest wins. Also starts a run where none is open. */
  @SignalMethod(description = "A generation of the App to carry out, or tasks of it to try again")
  void changed(ChangeRequest request);

  /** From a step of this change: why it follows an order that is not the agents' own. */
  @SignalMethod(description = "For the engine's own use")
  void orderDegraded(String why);

  /**
   * Cancels tasks that have not ended: one that nobody has begun at once, one in work where it is.
   * Once more for a task that is being rolled back: its rollback stops.
   *
   * @return for people: what became of the request
   */
  @UpdateMethod(description = "Cancels tasks: {\"cancelTaskIds\": [\"<task id>\"]}")
  String cancelTasks(CancelRequest request);

  /** Refuses with the reason, naming the ids there are. */
  @UpdateValidatorMethod(updateName = "cancelTasks")
  void canCancelTasks(CancelRequest request);

  /**
   * Cancels all tasks that have not ended; once more: rollbacks stop.
   *
   * @param scope null means the change that is open
   */
  @UpdateMethod(
      description =
          "Cancels the change; once more stops its rollback. {\"generation\": 7} means that one only")
  String cancelChange(ChangeScope scope);

  /** Refuses when there is nothing left to cancel, or another change is meant. */
  @UpdateValidatorMethod(updateName = "cancelChange")
  void canCancelChange(ChangeScope scope);

  /** Tries tasks again that failed, were skipped or cancelled; those that are done stay done. */
  @UpdateMethod(
      description =
          "Tries tasks again: {\"retryTaskIds\": [\"<task id>\"], \"resetDependencies\": true}")
  String retryTasks(RetryRequest request);

  /** Refuses with the reason, naming the ids there are. */
  @UpdateValidatorMethod(updateName = "retryTasks")
  void canRetryTasks(RetryRequest request);

  /** Lets the plan begin that waits for it, unless it has become another, which waits then. */
  @UpdateMethod(description = "Lets the plan begin whose hash status.plan shows: \"<hash>\"")
  String approve(ApproveRequest request);

  /** Refuses any other plan, and when none waits. */
  @UpdateValidatorMethod(updateName = "approve")
  void canApprove(ApproveRequest request);

  /** How far the change is; empty at the very start. */
  @QueryMethod(description = "How far the change is")
  ChangeProgress change();
}
