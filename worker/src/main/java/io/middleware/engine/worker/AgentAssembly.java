package io.middleware.engine.worker;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.PodAgents;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.agents.TlsSecrets;
import io.middleware.engine.process.trace.Tracing;

/** Builds what calls the agents; all of it shares the connections. */
final class AgentAssembly implements AutoCloseable {
  private final AgentChannels channels;
  private final AgentQueries queries;
  private final AgentActions actions;

  AgentAssembly(EngineSettings settings, KubernetesClient client, Tracing tracing) {
    var policy = Policies.ofAgents(settings.agent());
    this.channels =
        new AgentChannels(
            TlsSecrets.in(client, settings.systemNamespace()),
            tracing.agentInterceptors(),
            PodAgents.in(client, settings.systemNamespace()));
    this.queries = new AgentQueries(channels, policy);
    this.actions = new AgentActions(channels, policy.forActions(), client);
  }

  AgentQueries queries() {
    return queries;
  }

  AgentActions actions() {
    return actions;
  }

  @Override
  public void close() {
    channels.close();
  }
}
