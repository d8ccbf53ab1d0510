package io.middleware.engine.agent.redis;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.backup.BackedUpServer;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.store.BackupStorage;
import io.middleware.engine.agent.store.Measure;
import java.time.Duration;
import java.util.Map;

/**
 * Writes the data of one Redis to a store, without a file in between. A failure leaves nothing in
 * the store. Redis saves nothing for a store that does not answer or refuses the account. It may
 * wait for an earlier save to end before it begins.
 */
final class RedisBackup implements BackedUpServer {
  private static final long REPORT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int MIB = 1024 * 1024;
  private static final int ALL = 100;
  private static final int ALMOST_ALL = 99;

  private final RedisServer redis;
  private long reported = System.nanoTime();

  RedisBackup(RedisServer redis) {
    this.redis = redis;
  }

  @Override
  public ActionOutput write(
      BackupStorage store, String key, ActionRequest request, ProgressSink progress) {
    progress.report("asking " + store.location(key), 0);
    store.requireWritable(key);
    var server = redis.info("server");
    var valkey = server.getOrDefault("valkey_version", "");
    var version = valkey.isEmpty() ? server.getOrDefault("redis_version", "") : valkey;
    progress.report("waiting for Redis to begin its save", 0);
    try (var data = RdbStream.open(redis, valkey)) {
      var measure = new Measure(bytes -> report(store.location(key), bytes, progress));
      store.write(key, measure.of(data));
      return new ActionOutput(
          0,
          "",
          Map.of(
              "key", key,
              "location", store.location(key),
              "size", String.valueOf(measure.size()),
              "checksum", measure.checksum(),
              "version", version,
              "replicationId", data.replicationId(),
              "offset", String.valueOf(data.offset())));
    }
  }

  private void report(String location, long bytes, ProgressSink progress) {
    if (System.nanoTime() - reported > REPORT_NANOS) {
      progress.report("%d MiB written to %s".formatted(bytes / MIB, location), saved());
      reported = System.nanoTime();
    }
  }

  /** How many percent of its keys Redis has saved; 0 when it is unknown. */
  private int saved() {
    try {
      var info = redis.info("persistence");
      var total = Long.parseLong(info.getOrDefault("current_save_keys_total", "0"));
      var saved = Long.parseLong(info.getOrDefault("current_save_keys_processed", "0"));
      return total == 0 ? 0 : (int) Math.min(ALMOST_ALL, saved * ALL / total);
    } catch (StatusRuntimeException e) {
      return 0; // the data still arrive, so the backup goes on
    }
  }
}
