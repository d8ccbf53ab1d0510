package io.middleware.engine.agent.local;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.agent.server.Transport;
import java.util.List;

/** The agents of all simulated pods of a cluster. */
public final class LocalProcess implements AutoCloseable {
  private final Transport transport = new Transport();
  private final KubernetesClient client;
  private final PodWatch watch;
  private final LocalAgents agents;

  private LocalProcess(KubernetesClient client, int port, List<String> namespaces) {
    this.client = client;
    this.watch = new PodWatch(client, namespaces);
    this.agents = new LocalAgents(transport, port, watch::podsOf);
  }

  /** Watches the given namespaces, or all of them when none is given; takes over the client. */
  public static LocalProcess start(KubernetesClient client, int port, List<String> namespaces) {
    var process = new LocalProcess(client, port, namespaces);
    process.watch.start(process.agents::changed);
    return process;
  }

  @Override
  public void close() {
    watch.close();
    agents.close();
    transport.close();
    client.close();
  }
}
