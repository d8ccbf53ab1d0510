package io.middleware.engine.watcher.roles;

import io.middleware.engine.workflows.port.AgentEndpoint;

/** The endpoints of agents. */
@FunctionalInterface
interface AgentEndpoints {

  /**
   * The endpoint of the agents in this Plugin's pods.
   *
   * @param plugin name of the Plugin object
   */
  AgentEndpoint of(String plugin);
}
