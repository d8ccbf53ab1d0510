package io.middleware.engine.watcher.health;

/** The phase in a status: a summary for people that no code reads. */
enum HealthPhase {
  PROVISIONING("Provisioning"),
  RUNNING("Running"),
  CHANGING("Changing"),
  PAUSED("Paused"),
  AWAITING_APPROVAL("AwaitingApproval"),
  STOPPED("Stopped"),
  DEGRADED("Degraded"),
  FAILED("Failed"),
  /** The last edit was rejected, and all is as before. */
  REJECTED("Rejected"),
  DELETING("Deleting");

  private final String label;

  HealthPhase(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
