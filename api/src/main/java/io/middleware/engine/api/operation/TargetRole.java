package io.middleware.engine.api.operation;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.middleware.engine.api.Role;

/** The role that a pod must have for an Operation to work on it. */
public enum TargetRole {
  /** The one that says it is the primary. */
  @JsonProperty("Primary")
  PRIMARY,
  /** Those that say another role. */
  @JsonProperty("Replica")
  REPLICA;

  /**
   * @param role as the pod's agent reports it; empty when it reports none
   */
  public boolean isOf(String role) {
    return switch (this) {
      case PRIMARY -> role.equals(Role.PRIMARY);
      case REPLICA -> !role.isEmpty() && !role.equals(Role.PRIMARY);
    };
  }
}
