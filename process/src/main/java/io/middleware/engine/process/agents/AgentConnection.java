package io.middleware.engine.process.agents;

import io.grpc.ClientInterceptor;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Prepares connections to the agents in the pods; the caller shuts them down. */
public final class AgentConnection {
  /** The name in the certificate of every agent, because pods have no stable DNS names. */
  public static final String NAME = "middleware-agent";

  /** Of a status with its description: a long refusal must arrive, too. */
  private static final int MOST_METADATA_BYTES = 1 << 20;

  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);

  private AgentConnection() {}

  /** Makes no call: the first call opens the connection, also after an idle time. */
  public static ManagedChannel to(InetSocketAddress agent, ClientInterceptor... interceptors) {
    return build(
        NettyChannelBuilder.forAddress(agent, InsecureChannelCredentials.create()), interceptors);
  }

  /**
   * Like {@link #to(InetSocketAddress, ClientInterceptor...)} with mutual TLS: the Secret holds the
   * engine's certificate, and the agent's certificate must carry {@link #NAME}.
   *
   * @throws InvalidSecretException when the Secret cannot be used
   */
  public static ManagedChannel to(
      InetSocketAddress agent, TlsSecret secret, ClientInterceptor... interceptors) {
    var credentials = secret.credentials();
    try {
      return build(
          NettyChannelBuilder.forAddress(agent, credentials).overrideAuthority(NAME), interceptors);
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
