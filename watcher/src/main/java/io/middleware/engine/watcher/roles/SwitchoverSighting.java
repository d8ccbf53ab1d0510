package io.middleware.engine.watcher.roles;

import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;

/**
 * The last switchover of the engine that a Group names, and the last one since which its pods have
 * said who is the primary; guarded by its group.
 */
final class SwitchoverSighting {
  private String named = "";
  private long namedAt;
  private String observed = "";

  /** As the status has it after a start of this process. */
  void begin(String observedBefore) {
    observed = observedBefore;
    named = observedBefore;
  }

  /** Whether the Group names another one. */
  boolean isNew(Group group, long now) {
    var annotations = group.getMetadata().getAnnotations();
    var last = annotations == null ? "" : annotations.getOrDefault(Labels.SWITCHED_OVER, "");
    if (last.equals(named)) {
      return false;
    }
    named = last;
    namedAt = now;
    return true;
  }

  /**
   * Records that it is observed, if it is.
   *
   * @param primary the only one
   */
  boolean observe(PodRole primary) {
    if (named.equals(observed) || !primary.wasHeardSince(namedAt)) {
      return false;
    }
    observed = named;
    return true;
  }

  String observed() {
    return observed;
  }
}
