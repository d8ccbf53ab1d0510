package io.middleware.engine.watcher.roles;

import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.workflows.port.AgentEndpoint;

/** The endpoints of agents. */
@FunctionalInterface
interface AgentEndpoints {

  /** The endpoint of the agents in this Plugin's pods. */
  AgentEndpoint of(PluginRef plugin);
}
