package io.middleware.engine.agent.redis;

import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What a redis.conf says about the files from which Redis loads its data. */
record RedisConfigFile(Map<String, String> values) {

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
}
