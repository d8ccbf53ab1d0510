package io.middleware.engine.agent.restore;

import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** What a redis.conf says about the data of Redis: its files, and how much it may have. */
record RedisConfigFile(Map<String, String> values) {
  private static final String NO_EVICTION = "noeviction";

  /** As redis.conf has them. */
  private static final Map<String, Long> UNITS =
      Map.of(
          "k",
          1000L,
          "kb",
          1L << 10,
          "m",
          1_000_000L,
          "mb",
          1L << 20,
          "g",
          1_000_000_000L,
          "gb",
          1L << 30);

  static RedisConfigFile read(Path file) {
    Map<String, String> values = new HashMap<>();
    try {
      for (var line : Files.readAllLines(file)) {
        var words = line.strip().split("\\s+", 2);
        if (words.length > 1) {
          values.put(words[0], words[1].replace("\"", ""));
        }
      }
      return new RedisConfigFile(values);
    } catch (IOException e) {
      throw Status.FAILED_PRECONDITION
          .withDescription(
              "cannot read the configuration of Redis: %s: correct REDIS_CONFIG_FILE".formatted(e))
          .withCause(e)
          .asRuntimeException();
    }
  }

  /** Whether Redis loads its append-only files, and never the other file. */
  boolean appendOnly() {
    return values.getOrDefault("appendonly", "no").equals("yes");
  }

  String rdbFile() {
    return values.getOrDefault("dbfilename", "dump.rdb");
  }

  String appendFolder() {
    return values.getOrDefault("appenddirname", "appendonlydir");
  }

  String appendFile() {
    return values.getOrDefault("appendfilename", "appendonly.aof");
  }

  /** The memory beyond which Redis evicts keys; empty when it never does. */
  OptionalLong evictsAbove() {
    var limit = values.getOrDefault("maxmemory", "0").toLowerCase(Locale.ROOT);
    var number = limit.replaceFirst("[a-z]+$", "");
    var bytes = Long.parseLong(number) * UNITS.getOrDefault(limit.substring(number.length()), 1L);
    var policy = values.getOrDefault("maxmemory-policy", NO_EVICTION);
    return bytes == 0 || NO_EVICTION.equals(policy) ? OptionalLong.empty() : OptionalLong.of(bytes);
  }
}
