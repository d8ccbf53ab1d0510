package io.middleware.engine.watcher.roles;

import io.middleware.engine.api.PluginRef;
import io.middleware.engine.workflows.port.AgentEndpoint;

/** Where agents listen. */
@FunctionalInterface
interface AgentEndpoints {

  /** Of the agents in this Plugin's pods. */
  AgentEndpoint of(PluginRef plugin);
}
