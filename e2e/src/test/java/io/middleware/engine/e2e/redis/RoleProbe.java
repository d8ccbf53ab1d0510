package io.middleware.engine.e2e.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Asks servers of Redis all the time whether they are the primary, and notes since when. */
final class RoleProbe implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofMillis(300);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int PORT = 6379;

  private final RedisClient client = RedisClient.create();
  private final Map<String, Long> primaries = new ConcurrentHashMap<>();
  private volatile boolean stopped;

  RoleProbe(List<String> addresses) {
    client.setOptions(ClientOptions.builder().autoReconnect(false).build());
    addresses.forEach(address -> Thread.ofVirtual().start(() -> probe(address)));
  }

  /** Those that say now that they are, and since when they have, in nanoseconds. */
  Map<String, Long> primaries() {
    return Map.copyOf(primaries);
  }

  @Override
  public void close() {
    stopped = true;
    client.shutdown();
  }

  private void probe(String address) {
    var connection = Optional.<StatefulRedisConnection<String, String>>empty();
    var uri = RedisURI.builder().withHost(address).withPort(PORT).withTimeout(ANSWER).build();
    while (!stopped) {
      try {
        connection = connection.or(() -> Optional.of(client.connect(uri)));
        if ("master".equals(connection.get().sync().role().getFirst())) {
          primaries.putIfAbsent(address, System.nanoTime());
        } else {
          primaries.remove(address);
        }
        Thread.sleep(PAUSE);
      } catch (RedisException e) {
        primaries.remove(address);
        connection.ifPresent(StatefulRedisConnection::closeAsync);
        connection = Optional.empty();
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
