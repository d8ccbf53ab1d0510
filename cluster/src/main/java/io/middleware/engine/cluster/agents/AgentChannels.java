package io.middleware.engine.cluster.agents;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.RemovalNotification;
import com.google.common.util.concurrent.UncheckedExecutionException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.ClientInterceptor;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.process.agents.AgentConnection;
import io.middleware.engine.process.agents.InvalidSecretException;
import io.middleware.engine.process.agents.TlsSecret;
import io.middleware.engine.process.agents.TlsSecrets;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Connections to agents: one per address, closed some time after their last use. */
public final class AgentChannels implements AutoCloseable {
  private static final Duration KEPT_FOR = Duration.ofMinutes(5);

  private final Cache<AgentAddress, ManagedChannel> open =
      CacheBuilder.newBuilder()
          .expireAfterAccess(KEPT_FOR)
          .removalListener(
              (RemovalNotification<AgentAddress, ManagedChannel> unused) ->
                  unused.getValue().shutdown())
          .build();

  private final TlsSecrets secrets;
  private final ClientInterceptor[] interceptors;
  private final PodAgents pods;

  /** A new certificate needs a new connection. */
  private record AgentAddress(InetSocketAddress socket, Optional<TlsSecret> tls) {}

  /**
   * @param secrets for endpoints with TLS
   */
  public AgentChannels(TlsSecrets secrets) {
    this(secrets, List.of(), PodAgents.UNKNOWN);
  }

  /**
   * @param secrets for endpoints with TLS
   * @param interceptors of all calls
   * @param pods says how each pod is spoken to
   */
  public AgentChannels(TlsSecrets secrets, List<ClientInterceptor> interceptors, PodAgents pods) {
    this.secrets = secrets;
    this.pods = pods;
    this.interceptors = interceptors.toArray(ClientInterceptor[]::new);
  }

  /** The agents of this pod; empty when nobody knows. */
  Optional<Agents> agents(PodState pod) {
    return pods.of(pod);
  }

  /** False when the pod's own Plugin has no agents, whatever the caller's says. */
  boolean mayHaveAgent(PodState pod) {
    return agents(pod).filter(own -> own.port() == 0).isEmpty();
  }

  /** As the pod's own Plugin says; where nobody knows, as the caller's does. */
  boolean hasAgent(AgentEndpoint endpoint, PodState pod) {
    return endpoint(endpoint, pod).exists() && mayHaveAgent(pod);
  }

  /**
   * A connection to the agent of a pod. The pod may be of another Plugin than the caller's: its own
   * Plugin says where its agent listens.
   *
   * @param endpoint by the caller's Plugin, for a pod of which nobody knows more
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when the Secret of the endpoint
   *     is missing or not valid; of another kind when it cannot be read
   */
  ManagedChannel to(AgentEndpoint endpoint, PodState pod) {
    return connected(endpoint(endpoint, pod), pod);
  }

  /** Where the agent of the pod listens, for {@link #to}. */
  AgentEndpoint endpoint(AgentEndpoint endpoint, PodState pod) {
    return agents(pod)
        .filter(own -> own.port() > 0)
        .map(own -> new AgentEndpoint(own.port(), own.tlsSecret()))
        .orElse(endpoint);
  }

  private ManagedChannel connected(AgentEndpoint endpoint, PodState pod) {
    try {
      var tls = Optional.of(endpoint.tlsSecret()).filter(name -> !name.isEmpty()).map(this::secret);
      var address =
          new AgentAddress(new InetSocketAddress(pod.ip().orElseThrow(), endpoint.port()), tls);
      return open.get(address, () -> connect(address));
    } catch (InvalidSecretException e) {
      throw Faults.of(FaultKind.INVALID, e.getMessage());
    } catch (ExecutionException | UncheckedExecutionException e) {
      throw e.getCause() instanceof InvalidSecretException invalid
          ? Faults.of(FaultKind.INVALID, invalid.getMessage())
          : new IllegalStateException(
              "cannot prepare a connection to pod " + pod.name(), e.getCause());
    }
  }

  /** Skips the backoff after a failure, because a new pod may have the same address. */
  static void reconnect(ManagedChannel channel) {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  @Override
  public void close() {
    open.invalidateAll();
  }

  private ManagedChannel connect(AgentAddress address) {
    return address
        .tls()
        .map(tls -> AgentConnection.to(address.socket(), tls, interceptors))
        .orElseGet(() -> AgentConnection.to(address.socket(), interceptors));
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
        ? read + " (for any Secret other than middleware-agent-tls, worker and watcher need a Role)"
        : read;
  }
}
