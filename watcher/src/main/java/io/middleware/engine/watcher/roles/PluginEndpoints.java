package io.middleware.engine.watcher.roles;

import io.middleware.engine.watcher.cache.ObservedPlugins;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.Optional;

/** The endpoints of the agents of each Plugin, as the Plugin's spec declares them. */
public record PluginEndpoints(ObservedPlugins plugins) implements AgentEndpoints {

  @Override
  public AgentEndpoint of(String plugin) {
    return plugins
        .find(plugin)
        .flatMap(spec -> Optional.ofNullable(spec.agent()))
        .filter(agent -> agent.port() != null)
        .map(
            agent ->
                new AgentEndpoint(
                    agent.port(), agent.tls() == null ? "" : agent.tls().secretName()))
        .orElse(AgentEndpoint.NONE);
  }
}
