package io.middleware.engine.agent.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Connections to Redis servers, one for each address, opened when first asked and shared. */
public final class RedisServers implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(1);
  private static final Duration ANSWER = Duration.ofSeconds(2);

  private final RedisClient client = RedisClient.create();
  private final Map<Address, RedisServer> servers = new ConcurrentHashMap<>();

  public RedisServers() {
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .socketOptions(SocketOptions.builder().connectTimeout(CONNECT).build())
            .build());
  }

  /** The server that listens there, whether it answers now or not. */
  RedisServer at(Address address) {
    return servers.computeIfAbsent(address, a -> new RedisServer(a, this));
  }

  StatefulRedisConnection<String, String> connect(Address address) {
    var uri =
        RedisURI.builder()
            .withHost(address.host())
            .withPort(address.port())
            .withTimeout(ANSWER)
            .withClientName("agent")
            .build();
    return client.connect(StringCodec.UTF8, uri);
  }

  /** It did not answer: the next question opens a connection of its own. */
  void forget(RedisServer server) {
    servers.remove(server.address(), server);
  }

  @Override
  public void close() {
    servers.values().forEach(RedisServer::disconnect);
    client.shutdown();
  }
}
