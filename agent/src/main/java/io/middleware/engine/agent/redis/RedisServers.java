package io.middleware.engine.agent.redis;

import io.grpc.StatusRuntimeException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Connections to Redis servers, one for each address, opened when first asked and shared. */
public final class RedisServers implements AutoCloseable {
  /** Where Redis listens unless it is told otherwise. */
  public static final int PORT = 6379;

  private static final Duration CONNECT = Duration.ofSeconds(1);
  private static final Duration ANSWER = Duration.ofSeconds(2);

  /** Longer than it takes to find that a server does not answer. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final RedisClient client = RedisClient.create();
  private final Map<Address, RedisServer> servers = new ConcurrentHashMap<>();
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

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

  /** What the server there says of its replication, if it answers. */
  Optional<ReplicationState> ask(Address address) {
    try {
      return Optional.of(at(address).replication());
    } catch (StatusRuntimeException silent) {
      return Optional.empty();
    }
  }

  /** What those say that answer in time. */
  Map<Address, ReplicationState> ask(Collection<Address> addresses, Duration atMost) {
    Map<Address, CompletableFuture<Optional<ReplicationState>>> asked = new HashMap<>();
    for (var address : addresses) {
      asked.put(
          address,
          CompletableFuture.supplyAsync(() -> ask(address), calls)
              .completeOnTimeout(Optional.empty(), atMost.toMillis(), TimeUnit.MILLISECONDS));
    }
    Map<Address, ReplicationState> answers = new HashMap<>();
    asked.forEach(
        (address, answer) -> answer.join().ifPresent(state -> answers.put(address, state)));
    return answers;
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

  @Override
  public void close() {
    calls.shutdownNow();
    servers.values().forEach(RedisServer::disconnect);
    client.shutdown();
  }
}
