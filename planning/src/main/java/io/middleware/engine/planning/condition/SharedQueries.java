package io.middleware.engine.planning.condition;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;

/**
 * Sends equal queries to a Prometheus once: whoever asks while the answer is awaited, or soon after
 * the query was sent, gets the same answer. Thread-safe.
 */
final class SharedQueries implements PrometheusQueries {
  /** Shorter than the pause between two looks: none gets the answer of the one before. */
  static final Duration SHARED = Duration.ofMillis(500);

  /** By then it is answered, and not shared any more. */
  private static final Duration FORGOTTEN = BoundedHttp.LONGEST.multipliedBy(2);

  private final PrometheusQueries queries;
  private final LongSupplier nanoTime;
  private final Cache<Question, Sent> sent =
      CacheBuilder.newBuilder().expireAfterWrite(FORGOTTEN).build();

  SharedQueries(PrometheusQueries queries, LongSupplier nanoTime) {
    this.queries = queries;
    this.nanoTime = nanoTime;
  }

  private record Question(URI url, String query) {}

  private record Sent(long at, FutureTask<Samples> answer) {
    boolean isShared(long now) {
      return !answer.isDone() || now - at < SHARED.toNanos();
    }
  }

  @Override
  public Samples query(URI url, String query) throws InterruptedException {
    var now = nanoTime.getAsLong();
    var answer =
        sent.asMap()
            .compute(
                new Question(url, query),
                (asked, last) -> last != null && last.isShared(now) ? last : send(asked, now))
            .answer();
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a query failed", e.getCause());
    }
  }

  /** In a thread of its own: the interrupt of one caller is not one of the others. */
  private Sent send(Question asked, long now) {
    var answer = new FutureTask<>(() -> queries.query(asked.url(), asked.query()));
    Thread.startVirtualThread(answer);
    return new Sent(now, answer);
  }
}
