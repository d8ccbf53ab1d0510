package io.middleware.engine.api.task;

/** How a change ended. */
public enum ChangeOutcome {
  SUCCEEDED("Succeeded"),
  FAILED("Failed"),
  CANCELLED("Cancelled"),
  SUPERSEDED("Superseded"),
  REJECTED("Rejected"),
  TERMINATED("Terminated");

  private final String label;

  ChangeOutcome(String label) {
    this.label = label;
  }

  /** The word in the App's status and in the search attribute {@code MiddlewareOutcome}. */
  public String label() {
    return label;
  }
}
