package io.middleware.engine.agent.redis;

import io.grpc.Status;
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
import io.lettuce.core.protocol.ProtocolKeyword;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * One Redis. What it refuses is FAILED_PRECONDITION with its own words; one that does not answer,
 * or is still loading its data, is UNAVAILABLE.
 */
final class RedisServer {
  private final Address address;
  private final RedisServers servers;
  private final ReentrantLock lock = new ReentrantLock();
  private StatefulRedisConnection<String, String> connection;

  RedisServer(Address address, RedisServers servers) {
    this.address = address;
    this.servers = servers;
  }

  ReplicationState replication() {
    return ask(
        "INFO replication",
        redis -> {
          redis.ping(); // refused while it loads, as INFO is not
          return ReplicationState.parse(redis.info("replication"));
        });
  }

  void follow(Address primary) {
    ask("REPLICAOF " + primary, redis -> redis.replicaof(primary.host(), primary.port()));
  }

  void promote() {
    ask("REPLICAOF NO ONE", RedisCommands::replicaofNoOne);
  }

  /** Returns at once; {@link #replication} tells how it goes on. */
  void failOver(Address successor, Duration patience) {
    failover(
        "TO",
        successor.host(),
        String.valueOf(successor.port()),
        "TIMEOUT",
        String.valueOf(patience.toMillis()));
  }

  void abortFailover() {
    failover("ABORT");
  }

  Map<String, String> parameters(Iterable<String> names) {
    var joined = java.util.stream.StreamSupport.stream(names.spliterator(), false);
    return ask("CONFIG GET", redis -> redis.configGet(joined.toArray(String[]::new)));
  }

  /** All of them, or none when one is refused. */
  void setParameters(Map<String, String> parameters) {
    ask("CONFIG SET " + parameters.keySet(), redis -> redis.configSet(parameters));
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

  /** Any command, for what has no method here. */
  <T> T call(ProtocolKeyword command, CommandOutput<String, String, T> output, String... words) {
    var arguments = new CommandArgs<>(StringCodec.UTF8);
    for (var word : words) {
      arguments.add(word);
    }
    return ask(
        command + " " + String.join(" ", words),
        redis -> redis.dispatch(command, output, arguments));
  }

  private void failover(String... words) {
    call(CommandKeyword.FAILOVER, new StatusOutput<>(StringCodec.UTF8), words);
  }

  private <T> T ask(String what, Function<RedisCommands<String, String>, T> question) {
    var used = connection(what);
    try {
      return question.apply(used.sync());
    } catch (RedisLoadingException | RedisBusyException e) {
      throw failure(Status.UNAVAILABLE, what, e);
    } catch (RedisCommandExecutionException e) {
      throw failure(Status.FAILED_PRECONDITION, what, e);
    } catch (RedisException e) {
      used.closeAsync(); // the next question opens another one
      throw failure(Status.UNAVAILABLE, what, e);
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
      throw failure(Status.UNAVAILABLE, what, e);
    } finally {
      lock.unlock();
    }
  }

  private RuntimeException failure(Status status, String what, RedisException cause) {
    return status
        .withDescription("%s at Redis %s: %s".formatted(what, address, cause.getMessage()))
        .withCause(cause)
        .asRuntimeException();
  }
}
