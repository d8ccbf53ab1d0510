package io.middleware.engine.agent.store;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A store whose calls end soon when they are interrupted, however long the store itself hangs: a
 * file of an NFS volume whose server is gone, a connection whose other side is silent. Such calls
 * cannot be interrupted, so each has a thread of its own, which is then left to itself. Its streams
 * belong to the caller, who closes them: what is left writes no more of a backup.
 */
final class InterruptibleStore implements BackupStorage {
  /** How long an interrupted call may take to remove what it has begun. */
  private static final Duration TO_END = Duration.ofSeconds(3);

  private final BackupStorage store;
  private final Thread.Builder threads;

  private InterruptibleStore(BackupStorage store, Thread.Builder threads) {
    this.store = store;
    this.threads = threads;
  }

  /** Files hold the thread that carries a virtual one, and there are few of these. */
  static BackupStorage ofFiles(BackupStorage store) {
    return new InterruptibleStore(store, Thread.ofPlatform().daemon());
  }

  /** Sockets can be interrupted in a virtual thread only. */
  static BackupStorage ofSockets(BackupStorage store) {
    return new InterruptibleStore(store, Thread.ofVirtual());
  }

  @Override
  public void write(String key, InputStream content) {
    call("write", key, () -> store.write(key, content));
  }

  @Override
  public void requireWritable(String key) {
    call("write", key, () -> store.requireWritable(key));
  }

  @Override
  public void read(String key, OutputStream target) {
    call("read", key, () -> store.read(key, target));
  }

  @Override
  public OptionalLong size(String key) {
    return call("look at", key, () -> store.size(key));
  }

  @Override
  public void delete(String key) {
    call("delete", key, () -> store.delete(key));
  }

  @Override
  public List<String> list(String prefix) {
    return call("list", prefix, () -> store.list(prefix));
  }

  @Override
  public String location(String key) {
    return store.location(key);
  }

  @Override
  public void close() {
    store.close();
  }

  private void call(String what, String key, Runnable call) {
    call(
        what,
        key,
        () -> {
          call.run();
          return true;
        });
  }

  private <T> T call(String what, String key, Supplier<T> call) {
    var answer = new FutureTask<>(call::get);
    var caller = threads.start(answer);
    try {
      return answer(what, key, answer, caller);
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  private <T> T answer(String what, String key, FutureTask<T> answer, Thread caller)
      throws ExecutionException {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      try {
        caller.interrupt();
        return answer.get(TO_END.toMillis(), MILLISECONDS);
      } catch (InterruptedException | TimeoutException late) {
        throw Status.UNAVAILABLE
            .withDescription(
                "cannot %s %s: the store did not answer until then: check that it is reachable"
                    .formatted(what, store.location(key)))
            .withCause(e)
            .asRuntimeException();
      } finally {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException failure(Throwable cause) {
    return switch (cause) {
      case StatusRuntimeException said -> said;
      case RuntimeException unexpected -> unexpected;
      case Error broken -> throw broken;
      default -> new IllegalStateException(cause);
    };
  }
}
