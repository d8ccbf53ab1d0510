package io.middleware.engine.activities.agents;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.RemovalNotification;
import com.google.common.util.concurrent.UncheckedExecutionException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.ManagedChannel;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.process.agents.AgentConnection;
import io.middleware.engine.process.agents.InvalidSecretException;
import io.middleware.engine.process.agents.TlsSecret;
import io.middleware.engine.process.agents.TlsSecrets;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Connections to agents, one for each address, as long as they are used. */
public final class AgentChannels implements AutoCloseable {
  private static final Duration KEPT = Duration.ofMinutes(5);

  private final Cache<Peer, ManagedChannel> open =
      CacheBuilder.newBuilder()
          .expireAfterAccess(KEPT)
          .removalListener(
              (RemovalNotification<Peer, ManagedChannel> gone) -> gone.getValue().shutdown())
          .build();

  private final TlsSecrets secrets;

  /** Another certificate is another connection. */
  private record Peer(InetSocketAddress address, Optional<TlsSecret> tls) {}

  /**
   * @param secrets where endpoints want TLS
   */
  public AgentChannels(TlsSecrets secrets) {
    this.secrets = secrets;
  }

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when the Secret of the endpoint
   *     is missing or unfit; of another kind when it cannot be read
   */
  ManagedChannel to(AgentEndpoint at, PodState pod) {
    try {
      var tls = Optional.of(at.tlsSecret()).filter(name -> !name.isEmpty()).map(this::secret);
      var peer = new Peer(new InetSocketAddress(pod.ip().orElseThrow(), at.port()), tls);
      return open.get(peer, () -> connect(peer));
    } catch (InvalidSecretException e) {
      throw Faults.of(FaultKind.INVALID, e.getMessage());
    } catch (ExecutionException | UncheckedExecutionException e) {
      throw e.getCause() instanceof InvalidSecretException unfit
          ? Faults.of(FaultKind.INVALID, unfit.getMessage())
          : new IllegalStateException("prepare a connection to pod " + pod.name(), e.getCause());
    }
  }

  @Override
  public void close() {
    open.invalidateAll();
  }

  private static ManagedChannel connect(Peer peer) {
    return peer.tls()
        .map(tls -> AgentConnection.to(peer.address(), tls))
        .orElseGet(() -> AgentConnection.to(peer.address()));
  }

  private TlsSecret secret(String name) {
    try {
      return secrets.read(name);
    } catch (KubernetesClientException e) {
      throw Faults.of(attempted(name, e), e);
    }
  }

  private static String attempted(String name, KubernetesClientException e) {
    var read = "read Secret %s, which the Plugin names in spec.agent.tls".formatted(name);
    return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
        ? read + " (all but middleware-agent-tls need a Role for worker and watcher)"
        : read;
  }
}
