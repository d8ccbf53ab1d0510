package io.middleware.engine.api.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** What an Operation does to the groups that it works on. */
public enum OperationAction {
  /** Replaces every pod, in the order of the agents. */
  @JsonProperty("Restart")
  RESTART,
  /** Applies every object anew, and replaces the pods that are out of date. */
  @JsonProperty("Reapply")
  REAPPLY,
  /** Makes another pod the primary. */
  @JsonProperty("Switchover")
  SWITCHOVER,
  /** Makes replicas anew from nothing. */
  @JsonProperty("Rebuild")
  REBUILD;

  /** The word in specs and statuses. */
  public String label() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }
}
