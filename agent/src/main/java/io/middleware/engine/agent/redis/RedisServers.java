package io.middleware.engine.agent.redis;

import io.grpc.StatusRuntimeException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.middleware.engine.agent.account.AccountFiles;
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

/** Shared connections to Redis servers, one for each address, opened on first use. */
public final class RedisServers implements AutoCloseable {
  /** The default port of Redis. */
  public static final int PORT = 6379;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

  /** Longer than both timeouts above together. */
  static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  private final RedisClient client;
  private final AccountFiles accounts;
  private final Map<Address, RedisServer> servers = new ConcurrentHashMap<>();
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

  /** For servers without passwords. */
  public RedisServers() {
    this(RedisClient.create(), AccountFiles.NONE);
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .socketOptions(SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT).build())
            .build());
  }

  private RedisServers(RedisClient client, AccountFiles accounts) {
    this.client = client;
    this.accounts = accounts;
  }

  /** Connections of the same process that log in; closed with the others. */
  public RedisServers with(AccountFiles passwords) {
    return new RedisServers(client, passwords);
  }

  AccountFiles accounts() {
    return accounts;
  }

  /** The server at this address, whether it answers or not. */
  RedisServer at(Address address) {
    return servers.computeIfAbsent(address, a -> new RedisServer(a, this));
  }

  /** Empty when the server does not answer. */
  Optional<ReplicationState> stateOf(Address address) {
    try {
      return Optional.of(at(address).replication());
    } catch (StatusRuntimeException noAnswer) {
      return Optional.empty();
    }
  }

  /** The states of all servers that answer in time. */
  Map<Address, ReplicationState> statesOf(Collection<Address> addresses, Duration atMost) {
    Map<Address, CompletableFuture<Optional<ReplicationState>>> pending = new HashMap<>();
    for (var address : addresses) {
      pending.put(
          address,
          CompletableFuture.supplyAsync(() -> stateOf(address), calls)
              .completeOnTimeout(Optional.empty(), atMost.toMillis(), TimeUnit.MILLISECONDS));
    }
    Map<Address, ReplicationState> states = new HashMap<>();
    pending.forEach(
        (address, answer) -> answer.join().ifPresent(state -> states.put(address, state)));
    return states;
  }

  StatefulRedisConnection<String, String> connect(Address address) {
    var uri =
        RedisURI.builder()
            .withHost(address.host())
            .withPort(address.port())
            .withTimeout(COMMAND_TIMEOUT)
            .withClientName("agent");
    // a Redis that is open to all accepts any password of this account
    accounts.engine().ifPresent(it -> uri.withAuthentication(AccountFiles.ENGINE, it.text()));
    return client.connect(StringCodec.UTF8, uri.build());
  }

  @Override
  public void close() {
    calls.shutdownNow();
    servers.values().forEach(RedisServer::disconnect);
    client.shutdown();
  }
}
