package io.middleware.engine.process;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Prepares connections to the agents in the pods; who prepares one shuts it down. */
public final class AgentConnection {
  private static final Duration QUIET = Duration.ofSeconds(30);

  private AgentConnection() {}

  /** Calls nobody: the connection is made with the first call, and again after a quiet time. */
  public static ManagedChannel to(InetSocketAddress agent) {
    return build(NettyChannelBuilder.forAddress(agent, InsecureChannelCredentials.create()));
  }

  /**
   * The same with TLS.
   *
   * @param name that the agent's certificate must carry
   * @throws IllegalArgumentException when the credentials cannot be used
   */
  public static ManagedChannel to(
      InetSocketAddress agent, ChannelCredentials credentials, String name) {
    return build(NettyChannelBuilder.forAddress(agent, credentials).overrideAuthority(name));
  }

  private static ManagedChannel build(NettyChannelBuilder channel) {
    return channel
        .proxyDetector(target -> null)
        .idleTimeout(QUIET.toSeconds(), TimeUnit.SECONDS)
        .build();
  }
}
