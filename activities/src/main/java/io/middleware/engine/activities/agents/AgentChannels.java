package io.middleware.engine.activities.agents;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.RemovalNotification;
import com.google.common.util.concurrent.UncheckedExecutionException;
import io.grpc.ManagedChannel;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.process.AgentConnection;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.temporal.failure.ApplicationFailure;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Connections to agents, one for each address, as long as they are used. */
public final class AgentChannels implements AutoCloseable {
  /** In the certificate of every agent: pods have no names of their own to go by. */
  static final String NAME = "middleware-agent";

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
   *     is missing or unfit
   */
  ManagedChannel to(AgentEndpoint at, PodState pod) {
    var tls = Optional.of(at.tlsSecret()).filter(name -> !name.isEmpty()).map(secrets::read);
    var peer = new Peer(new InetSocketAddress(pod.ip().orElseThrow(), at.port()), tls);
    try {
      return open.get(peer, () -> connect(peer));
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "cannot prepare a connection to " + peer.address(), e.getCause());
    } catch (UncheckedExecutionException e) {
      throw e.getCause() instanceof ApplicationFailure failure ? failure : e;
    }
  }

  @Override
  public void close() {
    open.invalidateAll();
  }

  private static ManagedChannel connect(Peer peer) {
    return peer.tls()
        .map(tls -> secured(peer.address(), tls))
        .orElseGet(() -> AgentConnection.to(peer.address()));
  }

  private static ManagedChannel secured(InetSocketAddress address, TlsSecret tls) {
    var credentials = tls.credentials();
    try {
      return AgentConnection.to(address, credentials, NAME);
    } catch (IllegalArgumentException e) {
      throw tls.unfit("cannot be used: " + e.getMessage());
    }
  }
}
