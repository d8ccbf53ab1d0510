package io.middleware.engine.agent.local;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.agent.server.Transport;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agents of all simulated pods of a cluster. */
public final class LocalProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalProcess.class);

  private final Transport transport = new Transport();
  private final KubernetesClient client;
  private final PodWatch watch;
  private final LocalAgents agents;

  private LocalProcess(KubernetesClient client, int port, List<String> namespaces) {
    this.client = client;
    this.watch = new PodWatch(client, namespaces);
    this.agents = new LocalAgents(transport, port, watch::podsOf, this::mark);
  }

  /** Watches the given namespaces, or all of them when none is given; takes over the client. */
  public static LocalProcess start(KubernetesClient client, int port, List<String> namespaces) {
    var process = new LocalProcess(client, port, namespaces);
    process.watch.start(process.agents::changed);
    return process;
  }

  /** Best effort: what is done is done without it as well. */
  private void mark(Mark mark) {
    try {
      client
          .pods()
          .inNamespace(mark.namespace())
          .withName(mark.pod())
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                  .formatted(mark.annotation(), mark.value()));
    } catch (KubernetesClientException e) {
      LOG.atWarn().addKeyValue("mark", mark).setCause(e).log("cannot mark the pod");
    }
  }

  @Override
  public void close() {
    watch.close();
    agents.close();
    transport.close();
    client.close();
  }
}
