package io.middleware.engine.watcher.roles;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.ManagedChannel;
import io.middleware.engine.process.agents.AgentConnection;
import io.middleware.engine.process.agents.InvalidSecretException;
import io.middleware.engine.process.agents.TlsSecret;
import io.middleware.engine.process.agents.TlsSecrets;
import io.middleware.engine.watcher.roles.RoleClient.AskedPod;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections to agents, with or without TLS; the caller shuts them down. */
final class RoleConnections {
  private static final Logger LOG = LoggerFactory.getLogger(RoleConnections.class);

  private final TlsSecrets secrets;
  private final AtomicReference<String> lastProblem = new AtomicReference<>("");

  RoleConnections(TlsSecrets secrets) {
    this.secrets = secrets;
  }

  /** Empty when the client certificate cannot be read; the agent is not asked then. */
  Optional<ManagedChannel> to(AskedPod pod) {
    return connection(
        pod,
        secret ->
            secret
                .map(it -> AgentConnection.to(pod.address(), it))
                .orElseGet(() -> AgentConnection.to(pod.address())));
  }

  /** The same for a stream. */
  Optional<ManagedChannel> listeningTo(AskedPod pod) {
    return connection(pod, secret -> AgentConnection.listeningTo(pod.address(), secret));
  }

  private Optional<ManagedChannel> connection(
      AskedPod pod, Function<Optional<TlsSecret>, ManagedChannel> connection) {
    var name = pod.agents().tlsSecret();
    try {
      var secret = name.isEmpty() ? Optional.<TlsSecret>empty() : Optional.of(secrets.read(name));
      return Optional.of(connection.apply(secret));
    } catch (InvalidSecretException | KubernetesClientException e) {
      logOnce("Secret %s: %s".formatted(name, e.getMessage()));
      return Optional.empty();
    }
  }

  /** Logs a problem once, not for each pod. */
  private void logOnce(String problem) {
    if (!problem.equals(lastProblem.getAndSet(problem))) {
      LOG.atWarn().addKeyValue("cause", problem).log("cannot ask agents with TLS for their roles");
    }
  }
}
