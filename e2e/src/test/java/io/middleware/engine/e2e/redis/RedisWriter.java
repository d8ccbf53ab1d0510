package io.middleware.engine.e2e.redis;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.middleware.engine.e2e.Shop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * A user of a Redis group who writes without end: he follows the primary, takes a write for done
 * when a replica has it too, and tries again until it is.
 */
public final class RedisWriter implements AutoCloseable {
  private static final int PORT = 6379;
  private static final Duration ANSWER = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final int BATCH = 500;

  private final Supplier<List<String>> addresses;
  private final RedisClient client = RedisClient.create();
  private final Thread thread = Thread.ofVirtual().unstarted(this::write);
  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile boolean stopped;

  // of the thread, and of others after its end
  private final List<String> acknowledged = new ArrayList<>();
  private Optional<StatefulRedisConnection<String, String>> primary = Optional.empty();
  private Optional<Instant> last = Optional.empty();
  private Duration longestGap = Duration.ZERO;

  /**
   * @param addresses of the group's pods now
   */
  RedisWriter(Supplier<List<String>> addresses) {
    this.addresses = addresses;
    client.setOptions(ClientOptions.builder().autoReconnect(false).build());
  }

  /** Returns when the first write is acknowledged. */
  public void start() throws InterruptedException {
    thread.start();
    begun.await();
  }

  /** What became of it: what was acknowledged, and what of that is not there. */
  record Outcome(int acknowledged, List<String> lost, Duration longestGap) {}

  Outcome stop() throws InterruptedException {
    stopped = true;
    thread.join();
    return new Outcome(acknowledged.size(), lost(), longestGap);
  }

  /** Address of the primary now, if there is one. */
  public Optional<String> primaryAddress() {
    for (var address : addresses.get()) {
      var connection = connect(address);
      if (connection.isPresent()) {
        connection.get().close();
        return Optional.of(address);
      }
    }
    return Optional.empty();
  }

  /** How many keys each node has, as it says itself. */
  public List<Long> sizes() {
    return addresses.get().stream().map(this::size).toList();
  }

  private long size(String address) {
    try (var connection = client.connect(uri(address))) {
      return connection.sync().dbsize();
    }
  }

  /** What the nodes themselves say they have in force. */
  List<String> inForce(String parameter) {
    return addresses.get().stream().map(address -> inForce(address, parameter)).toList();
  }

  private String inForce(String address, String parameter) {
    try (var connection = client.connect(uri(address))) {
      return connection.sync().configGet(parameter).get(parameter);
    }
  }

  @Override
  public void close() {
    stopped = true;
    client.shutdown();
  }

  private void write() {
    for (var number = 0; !stopped; number++) {
      var key = "write-" + number;
      while (!stopped && !isAcknowledged(key)) {
        sleep();
      }
      sleep();
    }
  }

  private boolean isAcknowledged(String key) {
    try {
      primary = primary.or(this::find);
      if (primary.isEmpty()) {
        return false;
      }
      var redis = primary.get().sync();
      redis.set(key, key);
      if (redis.waitForReplication(1, ANSWER.toMillis() / 2) < 1) {
        return false;
      }
    } catch (RedisException e) {
      primary.ifPresent(StatefulRedisConnection::closeAsync);
      primary = Optional.empty();
      return false;
    }
    acknowledged.add(key);
    begun.countDown();
    noteGap(Instant.now());
    return true;
  }

  private void noteGap(Instant now) {
    var gap = last.map(before -> Duration.between(before, now)).orElse(Duration.ZERO);
    longestGap = gap.compareTo(longestGap) > 0 ? gap : longestGap;
    last = Optional.of(now);
  }

  private Optional<StatefulRedisConnection<String, String>> find() {
    return addresses.get().stream().map(this::connect).flatMap(Optional::stream).findFirst();
  }

  /** To a primary only. */
  private Optional<StatefulRedisConnection<String, String>> connect(String address) {
    try {
      var connection = client.connect(uri(address));
      if ("master".equals(connection.sync().role().getFirst())) {
        return Optional.of(connection);
      }
      connection.closeAsync();
    } catch (RedisException silent) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  private static RedisURI uri(String address) {
    return RedisURI.builder().withHost(address).withPort(PORT).withTimeout(ANSWER).build();
  }

  /** What a server says that takes longer than it may take for a write is asked for again. */
  private List<String> lost() {
    return await("all that was acknowledged")
        .atMost(Shop.PATIENCE)
        .ignoreExceptionsInstanceOf(RedisException.class)
        .ignoreExceptionsInstanceOf(NoSuchElementException.class)
        .until(this::missing, Objects::nonNull);
  }

  private List<String> missing() {
    var redis = find().orElseThrow().sync();
    List<String> lost = new ArrayList<>();
    for (var from = 0; from < acknowledged.size(); from += BATCH) {
      var keys = acknowledged.subList(from, Math.min(from + BATCH, acknowledged.size()));
      redis.mget(keys.toArray(String[]::new)).stream()
          .filter(found -> !found.hasValue() || !found.getValue().equals(found.getKey()))
          .forEach(found -> lost.add(found.getKey()));
    }
    return lost;
  }

  private static void sleep() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
