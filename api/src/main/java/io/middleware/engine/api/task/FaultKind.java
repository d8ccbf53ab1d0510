package io.middleware.engine.api.task;

/**
 * Why a step failed, decided once, where the failure enters the engine; the kind decides on retry.
 */
public enum FaultKind {
  /** The input is wrong: a template, a value, a schema. Trying again changes nothing. */
  INVALID(false),
  /** The account that writes may not. */
  FORBIDDEN(false),
  /** A quota or the cluster's capacity is used up. */
  QUOTA(false),
  /** An agent's order is not a permutation of what was asked. */
  INVALID_ORDER(false),
  /** Another run has taken the App over; this one may not write any more. */
  SUPERSEDED(false),
  /** The object was changed by somebody else at the same time, or is not there yet. */
  CONFLICT(true),
  /** The API server, an agent or the network did not answer. */
  UNAVAILABLE(true);

  private final boolean retryable;

  FaultKind(boolean retryable) {
    this.retryable = retryable;
  }

  /** Whether the cause may pass by itself. */
  public boolean isRetryable() {
    return retryable;
  }
}
