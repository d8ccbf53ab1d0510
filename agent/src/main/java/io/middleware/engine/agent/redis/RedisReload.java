package io.middleware.engine.agent.redis;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandType;
import io.middleware.engine.agent.driver.ProgressSink;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Applies parameters to the Redis of one pod, all or none. Those that decide which file Redis loads
 * at its next start are in force when that file has all data:
 *
 * <ol>
 *   <li>What the start of the container does with {@code appendonly} is called off, or over.
 *   <li>A change of {@code appendonly} begins with a snapshot. It proves that the volume has room,
 *       and is what a Redis that dies meanwhile starts with.
 *   <li>From {@code no} to {@code yes}: ends when Redis has written its first log. Until then it
 *       has none.
 *   <li>From {@code yes} to {@code no}: ends with a second snapshot, which is certainly newer than
 *       the last write to the log.
 *   <li>After a refusal or an interrupt, the earlier values are in force again.
 * </ol>
 */
record RedisReload(
    String pod,
    RedisServer redis,
    StartSwitch start,
    Map<String, String> desired,
    ProgressSink progress) {
  private static final String APPEND_ONLY = "appendonly";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  /** Longer than the times of a log and a snapshot must differ at a start of the Redis Plugin. */
  private static final Duration CERTAINLY_NEWER = Duration.ofSeconds(4);

  /** Returns the value of each parameter that is in force. */
  Map<String, String> run() throws InterruptedException {
    if (desired.containsKey(APPEND_ONLY)) {
      takeOver();
    }
    var before = redis.parameters(desired.keySet());
    var missing = RedisParameters.missing(desired, before);
    var earlier = new TreeMap<>(before);
    earlier.keySet().retainAll(missing.keySet());
    try {
      apply(missing, before.get(APPEND_ONLY));
    } catch (InterruptedException e) {
      throw undone(earlier, e);
    } catch (StatusRuntimeException e) {
      if (Thread.interrupted()) {
        throw undone(
            earlier, new InterruptedException("during a Redis command: " + e.getMessage()));
      }
      throw e.getStatus().getCode() == Status.Code.FAILED_PRECONDITION ? undone(earlier, e) : e;
    }
    return RedisParameters.inForce(desired, redis.parameters(desired.keySet()));
  }

  /** Afterwards nobody else sets {@code appendonly}. */
  private void takeOver() throws InterruptedException {
    start.cancel();
    while (start.hasBegun()) {
      var now = persistence();
      if (!now.saves() && !now.lastSaveSucceeded()) {
        throw refusal("write a snapshot, which it needs since its start because appendonly is no");
      }
      progress.report("waiting until Redis has changed from its log to a snapshot", 0);
      Thread.sleep(POLL_INTERVAL);
    }
  }

  /**
   * @param current of {@code appendonly}
   */
  private void apply(Map<String, String> missing, String current) throws InterruptedException {
    if (missing.containsKey(APPEND_ONLY)) {
      save(current);
    }
    var failures = persistence().failedRewrites();
    if (!missing.isEmpty()) {
      redis.setParameters(missing);
    }
    if ("yes".equals(desired.get(APPEND_ONLY))) {
      awaitLog(failures);
    } else if (missing.containsKey(APPEND_ONLY)) {
      Thread.sleep(CERTAINLY_NEWER);
      save(current);
    }
  }

  /** Also after an earlier reload that was cut off. */
  private void awaitLog(long failuresBefore) throws InterruptedException {
    for (var now = persistence(); now.rewrites(); now = persistence()) {
      if (now.failedRewrites() > failuresBefore) {
        throw refusal("write its log, so appendonly stays no");
      }
      progress.report("waiting until Redis has written its log: " + now.saved(), 0);
      Thread.sleep(POLL_INTERVAL);
    }
    if (persistence().failedRewrites() > failuresBefore) {
      throw refusal("write its log, so appendonly stays no");
    }
  }

  /** Returns when a snapshot that has begun after this call is complete. */
  private void save(String current) throws InterruptedException {
    awaitChild("waiting until Redis has written another file: ");
    redis.call(CommandType.BGSAVE, new StatusOutput<>(StringCodec.UTF8));
    awaitChild("waiting until Redis has written a snapshot: ");
    if (!persistence().lastSaveSucceeded()) {
      throw refusal("write a snapshot, so appendonly stays " + current);
    }
  }

  private void awaitChild(String what) throws InterruptedException {
    for (var now = persistence(); now.saves() || now.rewrites(); now = persistence()) {
      progress.report(what + now.saved(), 0);
      Thread.sleep(POLL_INTERVAL);
    }
  }

  private Persistence persistence() {
    return new Persistence(redis.info("persistence"));
  }

  private StatusRuntimeException refusal(String what) {
    return Status.FAILED_PRECONDITION
        .withDescription(
            "the Redis of %s cannot %s: see its log, and give its volume room for one more copy of the data"
                .formatted(pod, what))
        .asRuntimeException();
  }

  private <E extends Exception> E undone(Map<String, String> earlier, E cause) {
    try {
      if (!earlier.isEmpty()) {
        redis.setParameters(earlier);
      }
    } catch (StatusRuntimeException e) {
      cause.addSuppressed(e);
    }
    return cause;
  }

  /** The section of {@code INFO}. */
  private record Persistence(Map<String, String> fields) {
    boolean saves() {
      return number("rdb_bgsave_in_progress") > 0;
    }

    boolean rewrites() {
      return number("aof_rewrite_in_progress") + number("aof_rewrite_scheduled") > 0;
    }

    long failedRewrites() {
      return number("aof_rewrites_consecutive_failures");
    }

    boolean lastSaveSucceeded() {
      return "ok".equals(fields.get("rdb_last_bgsave_status"));
    }

    String saved() {
      return "%d of %d keys"
          .formatted(number("current_save_keys_processed"), number("current_save_keys_total"));
    }

    private long number(String name) {
      return Long.parseLong(fields.getOrDefault(name, "0"));
    }
  }
}
