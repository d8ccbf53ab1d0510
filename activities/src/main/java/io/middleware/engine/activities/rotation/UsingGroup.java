package io.middleware.engine.activities.rotation;

import io.middleware.engine.planning.operation.RotatedValues.Use;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.List;

/**
 * A group whose pods use secrets that are rotated.
 *
 * @param agents of its pods
 * @param uses one for each parameter
 */
record UsingGroup(String component, String group, AgentEndpoint agents, List<Use> uses) {
  UsingGroup {
    uses = List.copyOf(uses);
  }
}
