package io.middleware.engine.api.task;

import java.util.Arrays;

/**
 * Why a step failed, decided once, where the failure enters the engine; the kind decides on retry.
 * The label is the type of the failure on its way through the workflows and the reason in the
 * status.
 */
public enum FaultKind {
  /** The input is wrong: a template, a value, a schema. Trying again changes nothing. */
  INVALID("Invalid", false),
  /** The account that writes may not, or a quota is used up. */
  FORBIDDEN("Forbidden", false),
  /** An agent's order is not a permutation of what was asked. */
  INVALID_ORDER("InvalidOrder", false),
  /** An agent refuses an action; the message has its reason. */
  AGENT_REFUSED("AgentRefused", false),
  /** An Operation cannot be carried out on the pods as they are. */
  REFUSED("OperationRefused", false),
  /** An action of the Plugin ran on a pod, and failed there. */
  ACTION_FAILED("ActionFailed", false),
  /** There is no good backup, without which the App is not upgraded. */
  BACKUP_FAILED("BackupFailed", false),
  /** An action of the Plugin that the task runs as a hook failed on a pod, or was refused. */
  HOOK_FAILED("HookFailed", false),
  /** A check did not hold in time, or it is not known whether it holds. */
  CHECK_FAILED("CheckFailed", false),
  /** Another run has taken the App over; this one may not write any more. */
  SUPERSEDED("Superseded", false),
  /** A rollback cannot make pods again as they were before the task; it has written nothing. */
  IRREVERSIBLE("Irreversible", false),
  /** The App is paused and the step has not begun: it waits until the App is resumed. */
  PAUSED("Paused", false),
  /** Another manager owns a field; or the object changed at the same time, or is not there yet. */
  CONFLICT("Conflict", true),
  /**
   * No agent gives an order, and the plugin allows no other; or the primary's agent does not answer
   * when it is to switch over; or no agent has made the copy of a backup in time.
   */
  AGENTS_UNAVAILABLE("AgentsUnavailable", true),
  /** The API server, an agent or the network did not answer. */
  UNAVAILABLE("Unavailable", true),
  /** A step failed in a way that the engine does not know: a defect; the worker's log has more. */
  INTERNAL("Internal", false);

  private final String label;
  private final boolean retryable;

  FaultKind(String label, boolean retryable) {
    this.label = label;
    this.retryable = retryable;
  }

  /** The word in failures and statuses. */
  public String label() {
    return label;
  }

  /** Whether the cause may pass by itself. */
  public boolean isRetryable() {
    return retryable;
  }

  /** Whether a failure with this label may pass by itself; false for an unknown label. */
  public static boolean isRetryable(String label) {
    return Arrays.stream(values()).anyMatch(kind -> kind.label.equals(label) && kind.retryable);
  }
}
