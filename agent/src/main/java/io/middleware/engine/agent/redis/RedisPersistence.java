package io.middleware.engine.agent.redis;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandType;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.ProgressSink;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the data of one Redis durable on its volume.
 *
 * <ol>
 *   <li>Refuse the writes of clients ({@link WriteFence}), if the process is to be ended next. A
 *       replica takes none.
 *   <li>With append-only files: wait until no rewrite of them runs, and all commands are written.
 *       The first files are complete only after a rewrite.
 *   <li>Otherwise wait for a snapshot that is being made, make another one, and wait for it. It
 *       begins after the last write, so it has all that was acknowledged.
 * </ol>
 *
 * <p>A Redis that is started anew meanwhile has only what was durable, and its fields say nothing
 * about a snapshot of before: the caller asks again. A Redis without any persistence is asked for
 * nothing: its user keeps no data. Each look prolongs the fence, so that it outlasts a long
 * snapshot and ends when this agent dies.
 */
final class RedisPersistence {
  private static final Duration LOOK = Duration.ofMillis(200);

  /** Much longer than the time between two looks. */
  private static final Duration FENCE = Duration.ofSeconds(30);

  /** A fence may last a minute longer. */
  private static final Duration AFTER_RESULT = Driver.LONGEST_PAUSE.minusMinutes(1);

  private static final int CONNECT_MILLIS = 1000;
  private static final String OK = "ok";

  private final RedisServer redis;
  private final WriteFence fence;
  private final ProgressSink progress;

  RedisPersistence(RedisServer redis, ProgressSink progress) {
    this.redis = redis;
    this.fence = new WriteFence(redis, InstantSource.system());
    this.progress = progress;
  }

  /** What Redis says of itself; its fields by name. */
  private record Look(Map<String, String> fields) {
    boolean is(String field) {
      return "1".equals(fields.get(field));
    }

    boolean isOk(String field) {
      return OK.equals(fields.getOrDefault(field, OK));
    }

    String process() {
      return fields.getOrDefault("run_id", "");
    }

    boolean appendsOnly() {
      return is("aof_enabled");
    }

    boolean rewrites() {
      return is("aof_rewrite_in_progress") || is("aof_rewrite_scheduled");
    }

    boolean isWritten() {
      return number("aof_pending_bio_fsync") == 0 && number("aof_buffer_length") == 0;
    }

    int percent() {
      var total = number("current_save_keys_total");
      return total == 0 ? 0 : (int) (number("current_save_keys_processed") * 100 / total);
    }

    private long number(String field) {
      return Long.parseLong(fields.getOrDefault(field, "0"));
    }
  }

  /**
   * @param beforeEnd whether the process is ended next
   */
  void run(boolean beforeEnd) throws InterruptedException {
    if (isNotRunning()) {
      return;
    }
    var fenced = beforeEnd && "master".equals(look().fields().get("role"));
    var done = false;
    try {
      if (fenced) {
        fence.raise(FENCE);
      }
      persist(fenced);
      done = true;
    } finally {
      if (fenced && !done) {
        liftAfterFailure();
      }
    }
  }

  private void persist(boolean fenced) throws InterruptedException {
    var first = next(fenced, Optional.empty());
    if (first.appendsOnly()) {
      awaitAppendOnlyFiles(fenced, first);
    } else if (keepsSnapshots()) {
      awaitSnapshot(fenced, first);
    }
    if (fenced) {
      requirePrimary();
      fence.prolong(AFTER_RESULT);
    }
  }

  /** What another primary has taken meanwhile is not durable here. */
  private void requirePrimary() {
    if (!"master".equals(look().fields().get("role"))) {
      throw Status.UNAVAILABLE
          .withDescription(
              "Redis %s is no longer the primary since it made its data durable"
                  .formatted(redis.address()))
          .asRuntimeException();
    }
  }

  private void awaitAppendOnlyFiles(boolean fenced, Look first) throws InterruptedException {
    var look = first;
    while (look.rewrites() || !look.isWritten()) {
      if (!look.isOk("aof_last_write_status")) {
        break;
      }
      progress.report("waiting for the append-only files", look.percent());
      look = next(fenced, Optional.of(first));
    }
    if (look.isOk("aof_last_write_status") && !look.isOk("aof_last_bgrewrite_status")) {
      redis.call(CommandType.BGREWRITEAOF, new StatusOutput<>(StringCodec.UTF8)); // an earlier one
      look = awaitEndOfSnapshot(fenced, first, "writing the append-only files again");
    }
    if (!look.isOk("aof_last_write_status") || !look.isOk("aof_last_bgrewrite_status")) {
      throw refusal("append-only files");
    }
  }

  private void awaitSnapshot(boolean fenced, Look first) throws InterruptedException {
    awaitEndOfSnapshot(fenced, first, "waiting for the end of an earlier snapshot");
    while (!beginsSnapshot()) {
      awaitEndOfSnapshot(fenced, first, "waiting for the end of an earlier snapshot");
    }
    var last = awaitEndOfSnapshot(fenced, first, "writing a snapshot");
    if (!last.isOk("rdb_last_bgsave_status")) {
      throw refusal("snapshot");
    }
  }

  /** False while another one is written, which may be for a replica and not for the disk. */
  private boolean beginsSnapshot() {
    try {
      redis.call(CommandType.BGSAVE, new StatusOutput<>(StringCodec.UTF8));
      return true;
    } catch (StatusRuntimeException e) {
      if (look().is("rdb_bgsave_in_progress")) {
        return false;
      }
      throw e;
    }
  }

  private Look awaitEndOfSnapshot(boolean fenced, Look first, String message)
      throws InterruptedException {
    var look = next(fenced, Optional.of(first));
    while (look.is("rdb_bgsave_in_progress") || look.rewrites()) {
      progress.report(message, look.percent());
      look = next(fenced, Optional.of(first));
    }
    return look;
  }

  /** The state after a while, in which the fence lasts. */
  private Look next(boolean fenced, Optional<Look> first) throws InterruptedException {
    if (first.isPresent()) {
      Thread.sleep(LOOK);
    }
    if (fenced) {
      fence.prolong(FENCE);
    }
    var look = look();
    if (first.filter(it -> !it.process().equals(look.process())).isPresent()) {
      throw Status.UNAVAILABLE
          .withDescription(
              "Redis %s was started again while it made its data durable"
                  .formatted(redis.address()))
          .asRuntimeException();
    }
    return look;
  }

  private Look look() {
    return new Look(
        ReplicationState.fields(
            redis.call(
                CommandType.INFO,
                new StatusOutput<>(StringCodec.UTF8),
                "server",
                "persistence",
                "replication")));
  }

  /** Without a rule that makes snapshots, Redis makes none at its end either. */
  private boolean keepsSnapshots() {
    return !redis.parameters(List.of("save")).getOrDefault("save", "").isBlank();
  }

  private void liftAfterFailure() {
    var interrupted = Thread.interrupted(); // otherwise the command would fail
    try {
      fence.lift();
    } catch (StatusRuntimeException e) {
      progress.report(
          "Redis takes writes again a minute later: " + e.getStatus().getDescription(), 0);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Nobody listens at the address, so there is no process with data in its memory. */
  private boolean isNotRunning() {
    var address = redis.tls().isPresent() ? redis.address().forTls() : redis.address();
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false; // it may be busy
    }
  }

  private StatusRuntimeException refusal(String what) {
    return Status.FAILED_PRECONDITION
        .withDescription(
            "Redis %s cannot write its %s; its log has the reason, usually a full volume"
                .formatted(redis.address(), what))
        .asRuntimeException();
  }
}
