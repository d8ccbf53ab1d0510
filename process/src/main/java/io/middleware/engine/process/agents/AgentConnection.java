package io.middleware.engine.process.agents;

import io.grpc.ClientInterceptor;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Prepares connections to the agents in the pods; the caller shuts them down. */
public final class AgentConnection {
  /** The name in the certificate of every agent, because pods have no stable DNS names. */
  public static final String NAME = "middleware-agent";

  /** Of a status with its description: a long refusal must arrive, too. */
  private static final int MOST_METADATA_BYTES = 1 << 20;

  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);

  /** The shortest that gRPC does; agents permit 5 s. */
  private static final Duration KEEPALIVE = Duration.ofSeconds(10);

  private static final Duration KEEPALIVE_ANSWER = Duration.ofSeconds(5);

  private AgentConnection() {}

  /** Makes no call: the first call opens the connection, also after an idle time. */
  public static ManagedChannel to(InetSocketAddress agent, ClientInterceptor... interceptors) {
    return build(plain(agent), interceptors);
  }

  /**
   * Like {@link #to(InetSocketAddress, ClientInterceptor...)} with mutual TLS: the Secret holds the
   * engine's certificate, and the agent's certificate must carry {@link #NAME}.
   *
   * @throws InvalidSecretException when the Secret cannot be used
   */
  public static ManagedChannel to(
      InetSocketAddress agent, TlsSecret secret, ClientInterceptor... interceptors) {
    return build(secured(agent, secret), interceptors);
  }

  /**
   * The same for a call that waits for what the agent says by itself: it fails soon when the node
   * of the pod is gone. No other call has this. A server may end a connection that pings more often
   * than it sends anything, and an agent that says nothing for long breaks only the promise of this
   * call.
   *
   * @param secret empty: without TLS
   */
  public static ManagedChannel listeningTo(InetSocketAddress agent, Optional<TlsSecret> secret) {
    return build(
        secret
            .map(it -> secured(agent, it))
            .orElseGet(() -> plain(agent))
            .keepAliveTime(KEEPALIVE.toSeconds(), TimeUnit.SECONDS)
            .keepAliveTimeout(KEEPALIVE_ANSWER.toSeconds(), TimeUnit.SECONDS));
  }

  private static NettyChannelBuilder plain(InetSocketAddress agent) {
    return NettyChannelBuilder.forAddress(agent, InsecureChannelCredentials.create());
  }

  private static NettyChannelBuilder secured(InetSocketAddress agent, TlsSecret secret) {
    var credentials = secret.credentials();
    try {
      return NettyChannelBuilder.forAddress(agent, credentials).overrideAuthority(NAME);
    } catch (IllegalArgumentException e) {
      throw new InvalidSecretException(secret.name(), "cannot be used: " + e.getMessage());
    }
  }

  private static ManagedChannel build(
      NettyChannelBuilder channel, ClientInterceptor... interceptors) {
    return channel
        .intercept(interceptors)
        .proxyDetector(target -> null)
        .maxInboundMetadataSize(MOST_METADATA_BYTES)
        .idleTimeout(IDLE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .build();
  }
}
