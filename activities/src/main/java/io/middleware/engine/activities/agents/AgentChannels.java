package io.middleware.engine.activities.agents;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.RemovalNotification;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Connections to agents, one for each address, as long as they are used. */
public final class AgentChannels implements AutoCloseable {
  private static final Duration KEPT = Duration.ofMinutes(5);
  private static final Duration QUIET = Duration.ofSeconds(30);

  private final Cache<InetSocketAddress, ManagedChannel> open =
      CacheBuilder.newBuilder()
          .expireAfterAccess(KEPT)
          .removalListener(
              (RemovalNotification<InetSocketAddress, ManagedChannel> gone) ->
                  gone.getValue().shutdown())
          .build();

  ManagedChannel to(InetSocketAddress agent) {
    try {
      return open.get(agent, () -> connect(agent));
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot prepare a connection to " + agent, e.getCause());
    }
  }

  @Override
  public void close() {
    open.invalidateAll();
  }

  private static ManagedChannel connect(InetSocketAddress agent) {
    return NettyChannelBuilder.forAddress(agent)
        .usePlaintext()
        .proxyDetector(target -> null)
        .idleTimeout(QUIET.toSeconds(), TimeUnit.SECONDS)
        .build();
  }
}
