package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.ChangeProgress;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * One run is one change of one App; the id {@code app/<namespace>/<name>} keeps two changes apart.
 * A generation that arrives during a run is carried out by the next run.
 */
@WorkflowInterface
public interface AppChangeWorkflow {

  /**
   * Carries the change out.
   *
   * @param carried the wish that the run before this one left over; null when a signal brings it
   * @return one line for people: how the change ended
   */
  @WorkflowMethod
  String run(ChangeRequest carried);

  /** A generation to carry out; the newest wins. Also starts a run where none is open. */
  @SignalMethod
  void changed(ChangeRequest request);

  /** From a step of this change: why it follows an order that is not the agents' own. */
  @SignalMethod
  void orderDegraded(String why);

  /** How far the change is; empty at the very start. */
  @QueryMethod
  ChangeProgress change();
}
