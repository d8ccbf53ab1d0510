package io.middleware.engine.process.agents;

import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Prepares connections to the agents in the pods; who prepares one shuts it down. */
public final class AgentConnection {
  /** In the certificate of every agent: pods have no names of their own to go by. */
  public static final String NAME = "middleware-agent";

  private static final Duration QUIET = Duration.ofSeconds(30);

  private AgentConnection() {}

  /** Calls nobody: the connection is made with the first call, and again after a quiet time. */
  public static ManagedChannel to(InetSocketAddress agent) {
    return build(NettyChannelBuilder.forAddress(agent, InsecureChannelCredentials.create()));
  }

  /**
   * The same with mutual TLS: by this Secret, and to an agent whose certificate carries {@link
   * #NAME}.
   *
   * @throws UnfitSecretException when the Secret cannot be used
   */
  public static ManagedChannel to(InetSocketAddress agent, TlsSecret secret) {
    var credentials = secret.credentials();
    try {
      return build(NettyChannelBuilder.forAddress(agent, credentials).overrideAuthority(NAME));
    } catch (IllegalArgumentException e) {
      throw new InvalidSecretException(secret.name(), "cannot be used: " + e.getMessage());
    }
  }

  private static ManagedChannel build(NettyChannelBuilder channel) {
    return channel
        .proxyDetector(target -> null)
        .idleTimeout(QUIET.toSeconds(), TimeUnit.SECONDS)
        .build();
  }
}
