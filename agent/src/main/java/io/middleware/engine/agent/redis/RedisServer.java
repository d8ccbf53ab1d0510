package io.middleware.engine.agent.redis;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.grpc.Status;
import io.lettuce.core.ClientListArgs;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandKeyword;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.middleware.engine.agent.account.AppAccounts;
import io.middleware.engine.agent.account.Password;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Names;
import io.middleware.engine.agent.tls.CertificateFiles;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A client of one Redis. A refused command fails with FAILED_PRECONDITION and the message of Redis;
 * a Redis that does not answer, or is still loading its data, fails with UNAVAILABLE. The cause
 * tells an error reply ({@link RedisCommandExecutionException}) from silence.
 */
final class RedisServer implements AppAccounts.Acl {
  /** The code of the error of a primary that cannot save its data. */
  private static final String REFUSES_WRITES = "MISCONF";

  private static final Pattern OF_SENTINEL =
      Pattern.compile(" laddr=\\S+:(\\d+) .*\\bname=sentinel-");

  private final Address address;
  private final RedisServers servers;
  private final ReentrantLock lock = new ReentrantLock();
  private StatefulRedisConnection<String, String> connection;

  RedisServer(Address address, RedisServers servers) {
    this.address = address;
    this.servers = servers;
  }

  Address address() {
    return address;
  }

  /** Empty for a Redis that speaks in clear. */
  Optional<CertificateFiles> tls() {
    return servers.tls();
  }

  /** With which it is logged in to; empty for a Redis without passwords. */
  Optional<Password> password() {
    return servers.accounts().engine();
  }

  /**
   * Also of a Redis that refuses writes, or to serve stale data: it still has its role. The mark is
   * read first: a primary of an earlier mark never seems to be one of the mark of its successor.
   */
  ReplicationState replication() {
    var names = Names.of(parameters(Names.PARAMETERS));
    var info =
        call(
            CommandType.INFO,
            new StatusOutput<>(StringCodec.UTF8),
            "replication",
            "keyspace",
            "persistence");
    if ("1".equals(ReplicationState.fields(info).get("loading"))) {
      var loading = new RedisLoadingException("LOADING: its data are not complete yet");
      throw failure("INFO replication", loading);
    }
    return ReplicationState.parse(info, names);
  }

  /** In its own word, without anything that changes with the data. */
  String role() {
    return execute("ROLE", redis -> String.valueOf(redis.role().getFirst()));
  }

  /** Why Redis refuses writes, which it answers to a PING then; empty when it accepts them. */
  Optional<String> refusalOfWrites() {
    return execute("PING", RedisServer::ping);
  }

  private static Optional<String> ping(RedisCommands<String, String> redis) {
    try {
      redis.ping();
      return Optional.empty();
    } catch (RedisCommandExecutionException e) {
      if (e.getMessage().startsWith(REFUSES_WRITES)) {
        return Optional.of(e.getMessage());
      }
      throw e;
    }
  }

  /** One section of {@code INFO}. */
  Map<String, String> info(String section) {
    return execute("INFO " + section, redis -> ReplicationState.fields(redis.info(section)));
  }

  void follow(Address primary) {
    var reached = replicatesByTls() ? primary.forTls() : primary;
    execute("REPLICAOF " + reached, redis -> redis.replicaof(reached.host(), reached.port()));
  }

  boolean replicatesByTls() {
    return servers.tls().isPresent() && "yes".equals(parameter(RedisTls.REPLICATION));
  }

  /** 0 when that is closed. */
  int portInClear() {
    return Integer.parseInt(parameter("port"));
  }

  private String parameter(String name) {
    return parameters(List.of(name)).getOrDefault(name, "");
  }

  void promote() {
    execute("REPLICAOF NO ONE", RedisCommands::replicaofNoOne);
  }

  /** Returns at once; {@link #replication} shows the progress. */
  void failOver(Address successor, Duration timeout) {
    failover(
        "TO",
        successor.host(),
        String.valueOf(announced(successor).port()),
        "TIMEOUT",
        String.valueOf(timeout.toMillis()));
  }

  /** As the replica has named itself, which depends on how it replicates. */
  private Address announced(Address replica) {
    var byTls = "ip=%s,port=%d,".formatted(replica.host(), replica.forTls().port());
    return servers.tls().isPresent()
            && info("replication").values().stream().anyMatch(it -> it.startsWith(byTls))
        ? replica.forTls()
        : replica;
  }

  void abortFailover() {
    failover("ABORT");
  }

  Map<String, String> parameters(Iterable<String> names) {
    var joined = java.util.stream.StreamSupport.stream(names.spliterator(), false);
    return execute("CONFIG GET", redis -> redis.configGet(joined.toArray(String[]::new)));
  }

  /** Applies all parameters, or none when Redis refuses one of them. */
  void setParameters(Map<String, String> parameters) {
    execute("CONFIG SET " + parameters.keySet(), redis -> redis.configSet(parameters));
  }

  /** By name, as {@code ACL LIST} shows it: hashes of passwords, and rights. */
  Map<String, String> accounts() {
    return execute("ACL LIST", RedisCommands::aclList).stream()
        .collect(toMap(account -> account.split(" ")[1], identity()));
  }

  @Override
  public void setAccount(String name, String secret, String... rights) {
    var arguments = Stream.of(List.of("SETUSER", name, "on", secret), List.of(rights));
    call(
        "ACL SETUSER " + name,
        CommandType.ACL,
        new StatusOutput<>(StringCodec.UTF8),
        arguments.flatMap(List::stream).toArray(String[]::new));
  }

  @Override
  public void deleteAccount(String name) {
    execute("ACL DELUSER " + name, redis -> redis.aclDeluser(name));
  }

  /** The ports by which Sentinels are connected, which subscribe to a channel. */
  Set<Integer> portsOfSentinels() {
    var subscribers = ClientListArgs.Builder.typePubsub(); // there may be many other clients
    return execute("CLIENT LIST", redis -> redis.clientList(subscribers))
        .lines()
        .map(OF_SENTINEL::matcher)
        .filter(Matcher::find)
        .map(found -> Integer.valueOf(found.group(1)))
        .collect(toSet());
  }

  /** Whether a Sentinel is connected, which greets the others through each Redis. */
  boolean isWatchedBySentinels() {
    var channel = "__sentinel__:hello";
    return execute("PUBSUB NUMSUB", redis -> redis.pubsubNumsub(channel)).getOrDefault(channel, 0L)
        > 0;
  }

  void disconnect() {
    lock.lock();
    try {
      if (connection != null) {
        connection.closeAsync();
        connection = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Runs a command without a method of its own here. */
  <T> T call(
      ProtocolKeyword command, CommandOutput<String, String, T> output, String... arguments) {
    return call(command + " " + String.join(" ", arguments), command, output, arguments);
  }

  /**
   * The same.
   *
   * @param what of the command messages may show, which has secrets among its arguments
   */
  <T> T call(
      String what,
      ProtocolKeyword command,
      CommandOutput<String, String, T> output,
      String... arguments) {
    var args = new CommandArgs<>(StringCodec.UTF8);
    for (var argument : arguments) {
      args.add(argument);
    }
    return execute(what, redis -> redis.dispatch(command, output, args));
  }

  private void failover(String... arguments) {
    call(CommandKeyword.FAILOVER, new StatusOutput<>(StringCodec.UTF8), arguments);
  }

  private <T> T execute(String what, Function<RedisCommands<String, String>, T> command) {
    var used = connection(what);
    try {
      return command.apply(used.sync());
    } catch (RedisCommandExecutionException e) {
      throw failure(what, e);
    } catch (RedisException e) {
      used.closeAsync(); // the next command opens another connection
      throw failure(what, e);
    }
  }

  private StatefulRedisConnection<String, String> connection(String what) {
    lock.lock();
    try {
      if (connection == null || !connection.isOpen()) {
        connection = servers.connect(address);
      }
      return connection;
    } catch (RedisException e) {
      throw failure(
          what, RedisServers.errorReply(e).orElse(e)); // a Redis may refuse the greeting, too
    } finally {
      lock.unlock();
    }
  }

  private RuntimeException failure(String what, RedisException cause) {
    var status =
        switch (cause) {
          case RedisLoadingException loading -> Status.UNAVAILABLE;
          case RedisBusyException busy -> Status.UNAVAILABLE;
          case RedisCommandExecutionException refused -> Status.FAILED_PRECONDITION;
          default -> Status.UNAVAILABLE;
        };
    return status
        .withDescription("%s on Redis %s failed: %s".formatted(what, address, cause.getMessage()))
        .withCause(cause)
        .asRuntimeException();
  }
}
