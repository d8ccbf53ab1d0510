package io.middleware.engine.watcher.health;

/** One word for people; nothing reads it back. */
enum Phase {
  PROVISIONING("Provisioning"),
  RUNNING("Running"),
  CHANGING("Changing"),
  PAUSED("Paused"),
  AWAITING_APPROVAL("AwaitingApproval"),
  STOPPED("Stopped"),
  DEGRADED("Degraded"),
  FAILED("Failed"),
  DELETING("Deleting");

  private final String label;

  Phase(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
