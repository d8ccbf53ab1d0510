package io.middleware.engine.e2e.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/** All keys of a Redis. */
public final class RedisContent {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int BATCH = 1000;

  private RedisContent() {}

  /** Writes so many keys, each with a value of its own. */
  public static Map<String, String> write(String address, int keys) {
    return write(address, "key", keys);
  }

  /** Writes so many keys whose names begin alike. */
  static Map<String, String> write(String address, String prefix, int keys) {
    var written = new TreeMap<String, String>();
    for (var i = 0; i < keys; i++) {
      written.put(prefix + "-" + i, "value " + i * 31L);
    }
    return write(address, written);
  }

  /** Waits until so many replicas have all that was written. */
  static void confirm(String address, int replicas) {
    on(address, redis -> redis.waitForReplication(replicas, PATIENCE.toMillis()));
  }

  /** Has the server write a snapshot, and waits for it. */
  static void save(String address) {
    on(address, RedisCommands::save);
  }

  /** Writes so many keys, each with a value of this size that cannot be compressed. */
  public static Map<String, String> writeNoise(String address, int keys, int bytes) {
    var noise = new Random(keys);
    var written = new TreeMap<String, String>();
    for (var i = 0; i < keys; i++) {
      var value = new StringBuilder(bytes);
      noise.ints(bytes, ' ', '~').forEach(value::appendCodePoint);
      written.put("noise-" + i, value.toString());
    }
    return write(address, written);
  }

  private static Map<String, String> write(String address, Map<String, String> written) {
    on(
        address,
        redis -> {
          var batch = new HashMap<String, String>();
          written.forEach(
              (key, value) -> {
                batch.put(key, value);
                if (batch.size() == BATCH) {
                  redis.mset(batch);
                  batch.clear();
                }
              });
          return batch.isEmpty() ? "" : redis.mset(batch);
        });
    return written;
  }

  /** Has the server make so many keys of this size itself. */
  public static void populate(String address, int keys, int bytes) {
    on(
        address,
        redis ->
            redis.eval(
                "local v = string.rep('x', ARGV[2]); for i = 1, ARGV[1] do redis.call('SET', 'big-' .. i, v .. i) end",
                ScriptOutputType.STATUS,
                new String[0],
                String.valueOf(keys),
                String.valueOf(bytes)));
  }

  /** Has the server take this long for each key that it saves; until it is started again. */
  public static void slowSaves(String address, Duration ofAKey) {
    on(
        address,
        redis -> redis.configSet("rdb-key-save-delay", String.valueOf(ofAKey.toNanos() / 1000)));
  }

  /** All keys with their values. */
  public static Map<String, String> read(String address) {
    return on(
        address,
        redis -> {
          var content = new TreeMap<String, String>();
          var cursor = ScanCursor.INITIAL;
          do {
            var page = redis.scan(cursor, ScanArgs.Builder.limit(BATCH));
            if (!page.getKeys().isEmpty()) {
              redis
                  .mget(page.getKeys().toArray(String[]::new))
                  .forEach(found -> content.put(found.getKey(), found.getValue()));
            }
            cursor = page;
          } while (!cursor.isFinished());
          return content;
        });
  }

  private static <T> T on(String address, Function<RedisCommands<String, String>, T> work) {
    var uri = RedisURI.builder().withHost(address).withPort(6379).withTimeout(PATIENCE).build();
    try (var client = RedisClient.create(uri);
        var connection = client.connect()) {
      return work.apply(connection.sync());
    }
  }
}
