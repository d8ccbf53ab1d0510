package io.middleware.engine.activities.checks;

import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Optional;

/**
 * What is checked.
 *
 * @param group empty: the whole component
 * @param pod the only one that is asked; empty: all of them
 * @param replicas how many pods it is to have
 */
record CheckTarget(
    TaskRef task,
    Optional<String> group,
    Optional<String> pod,
    RuntimeRef runtime,
    int replicas,
    AgentEndpoint agents) {

  boolean asks(CheckedPod one) {
    return pod.map(one.pod().name()::equals).orElse(true);
  }
}
