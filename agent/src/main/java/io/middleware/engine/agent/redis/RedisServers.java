package io.middleware.engine.agent.redis;

import io.grpc.StatusRuntimeException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.middleware.engine.agent.account.AcceptedPassword;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.account.Password;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.tls.CertificateFiles;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Shared connections to Redis servers, one for each address, opened on first use. A server is known
 * by the address of its port in clear, also where it has only that for TLS.
 */
public final class RedisServers implements AutoCloseable {
  /** The default port of Redis. */
  public static final int PORT = 6379;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

  /** Longer than both timeouts above together. */
  static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  private final RedisClient client;
  private final AccountFiles accounts;
  private final AcceptedPassword accepted;
  private final Optional<CertificateFiles> tls;
  private final Map<Address, RedisServer> servers = new ConcurrentHashMap<>();
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

  /** Whether nothing is sent in clear. */
  private volatile boolean strict;

  /** For servers without passwords and TLS. */
  public RedisServers() {
    this(RedisClient.create(), AccountFiles.NONE, Optional.empty());
    client.setOptions(options().build());
  }

  private RedisServers(RedisClient client, AccountFiles accounts, Optional<CertificateFiles> tls) {
    this.client = client;
    this.accounts = accounts;
    this.accepted = new AcceptedPassword(accounts.memory());
    this.tls = tls;
  }

  private static ClientOptions.Builder options() {
    return ClientOptions.builder()
        .autoReconnect(false)
        .socketOptions(SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT).build());
  }

  /** Connections of the same process that log in; closed with the others. */
  public RedisServers with(AccountFiles passwords) {
    return new RedisServers(client, passwords, tls);
  }

  /**
   * Connections of the same process by TLS, wherever servers offer it; closed with the others.
   *
   * @param folder with the {@link CertificateFiles}; empty: in clear
   */
  public RedisServers by(Optional<Path> folder) {
    if (folder.isEmpty()) {
      return this;
    }
    var certificates = new CertificateFiles(folder.get());
    var encrypted = RedisClient.create(client.getResources());
    var trust = certificates.authority().toFile(); // read for each connection
    encrypted.setOptions(
        options()
            .sslOptions(SslOptions.builder().jdkSslProvider().trustManager(trust).build())
            .build());
    return new RedisServers(encrypted, accounts, Optional.of(certificates));
  }

  /** Empty when the servers speak in clear. */
  Optional<CertificateFiles> tls() {
    return tls;
  }

  /**
   * From now on, speaks by TLS alone, or in clear again to a server that does not offer TLS.
   *
   * @param only by TLS
   */
  void requireTls(boolean only) {
    strict = only;
  }

  AccountFiles accounts() {
    return accounts;
  }

  /**
   * With which servers log in to each other, and Sentinels to them: a changed password only once
   * all accept it. The first one counts at once. Empty when there are no passwords.
   *
   * @param byAll whether all servers that are known accept a password
   */
  Optional<Password> login(Predicate<Password> byAll) {
    var newest = accounts.engine();
    newest
        .filter(it -> accepted.get().filter(it::equals).isEmpty())
        .filter(it -> accepted.get().isEmpty() || byAll.test(it))
        .ifPresent(accepted::put);
    return newest.flatMap(it -> accepted.get());
  }

  /** Whether the server accepts the engine's password now; empty when it does not answer. */
  Optional<Boolean> accepts(Address address, Password password) {
    return accepts(address, AccountFiles.ENGINE, password);
  }

  /** The same for another account. */
  Optional<Boolean> accepts(Address address, String account, Password password) {
    try (var connection = connect(address, account, Optional.of(password))) {
      return Optional.of(connection.isOpen());
    } catch (RedisException e) {
      return errorReply(e).map(refused -> false);
    }
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

  /** Its agent may not have given the server a changed password yet. */
  StatefulRedisConnection<String, String> connect(Address address) {
    var newest = accounts.engine();
    try {
      return connect(address, AccountFiles.ENGINE, newest);
    } catch (RedisException e) {
      var earlier = accepted.get().filter(it -> newest.isPresent() && !it.equals(newest.get()));
      if (earlier.isEmpty() || errorReply(e).isEmpty()) {
        throw e;
      }
      return connect(address, AccountFiles.ENGINE, earlier);
    }
  }

  private StatefulRedisConnection<String, String> connect(
      Address address, String account, Optional<Password> password) {
    if (tls.isEmpty()) {
      return connect(address, account, password, false);
    }
    try {
      return connect(address.forTls(), account, password, true);
    } catch (RedisException e) {
      if (strict || !isRefused(e)) {
        throw e;
      }
      return connect(address, account, password, false); // its pod has not been replaced yet
    }
  }

  /** Whether nobody listens there. */
  static boolean isRefused(Throwable e) {
    return Stream.iterate(e, Objects::nonNull, Throwable::getCause)
        .anyMatch(it -> it instanceof ConnectException && !(it instanceof ConnectTimeoutException));
  }

  /**
   * Whether there is certainly nobody. One who does not answer, or whose connection is lost, may
   * be.
   */
  static boolean isAbsent(Throwable e) {
    return isRefused(e)
        || Stream.iterate(e, Objects::nonNull, Throwable::getCause)
            .anyMatch(UnknownHostException.class::isInstance);
  }

  private StatefulRedisConnection<String, String> connect(
      Address address, String account, Optional<Password> password, boolean encrypted) {
    var uri =
        RedisURI.builder()
            .withHost(address.host())
            .withPort(address.port())
            .withSsl(encrypted)
            .withVerifyPeer(encrypted ? SslVerifyMode.CA : SslVerifyMode.NONE)
            .withTimeout(COMMAND_TIMEOUT)
            .withClientName("agent");
    // a Redis that is open to all accepts any password of this account
    password.ifPresent(it -> uri.withAuthentication(account, it.text()));
    return client.connect(StringCodec.UTF8, uri.build());
  }

  /** The error with which a server answered; empty when it did not answer. */
  static Optional<RedisException> errorReply(RedisException e) {
    return Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
        .filter(RedisCommandExecutionException.class::isInstance)
        .map(RedisException.class::cast)
        .findFirst();
  }

  @Override
  public void close() {
    calls.shutdownNow();
    servers.values().forEach(RedisServer::disconnect);
    client.shutdown();
    client.getResources().shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
