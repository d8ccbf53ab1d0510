package io.middleware.engine.planning.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedQueriesTest {
  private static final URI ONE = URI.create("http://one/api/v1/query");
  private static final URI OTHER = URI.create("http://other/api/v1/query");

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Thread> calling = new CopyOnWriteArrayList<>();
  private final AtomicLong now = new AtomicLong();
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  /** The answer to all queries. */
  private volatile CompletableFuture<Double> value = CompletableFuture.completedFuture(1.0);

  private final SharedQueries queries = new SharedQueries(this::ask, now::get);

  private Samples ask(URI url, String query) {
    asked.add(url.getHost() + " " + query);
    return new Samples.Values(List.of(value.join()));
  }

  @AfterEach
  void close() {
    callers.shutdownNow();
  }

  @Test
  void shouldShareTheAnswerThatIsAwaited() throws Exception {
    // Given
    value = new CompletableFuture<>();
    var first = call();
    await().until(() -> !asked.isEmpty());
    later(Duration.ofSeconds(4));
    var second = call();
    awaitWaiting(2);
    // When
    value.complete(7.0);
    // Then
    assertThat(first.get()).isEqualTo(values(7)).isEqualTo(second.get());
    assertThat(asked).containsExactly("one up");
  }

  @Test
  void shouldShareAnAnswerUntilItIsOld() throws Exception {
    // Given
    queries.query(ONE, "up");
    value = CompletableFuture.completedFuture(2.0);
    // When Then
    later(SharedQueries.SHARED.minusMillis(1));
    assertThat(queries.query(ONE, "up")).isEqualTo(values(1));
    later(Duration.ofMillis(1));
    assertThat(queries.query(ONE, "up")).isEqualTo(values(2));
    assertThat(asked).hasSize(2);
  }

  @Test
  void shouldShareNothingWithOtherQueriesAndServers() throws Exception {
    // When
    queries.query(ONE, "up");
    queries.query(ONE, "up ");
    queries.query(OTHER, "up");
    // Then
    assertThat(asked).containsExactly("one up", "one up ", "other up");
  }

  @Test
  void shouldAnswerOthersWhenOneCallerIsInterrupted() throws Exception {
    // Given
    value = new CompletableFuture<>();
    var first = call();
    await().until(() -> !asked.isEmpty());
    var second = call();
    awaitWaiting(2);
    // When
    first.cancel(true);
    awaitWaiting(1);
    value.complete(7.0);
    // Then
    assertThat(second.get()).isEqualTo(values(7));
    assertThat(asked).hasSize(1);
  }

  @Test
  void shouldFailWhereTheQueryFails() {
    // Given
    value = CompletableFuture.failedFuture(new IllegalStateException("broken"));
    // When Then
    assertThatThrownBy(() -> queries.query(ONE, "up")).hasRootCauseMessage("broken");
  }

  private Future<Samples> call() {
    return callers.submit(
        () -> {
          calling.add(Thread.currentThread());
          return queries.query(ONE, "up");
        });
  }

  private void awaitWaiting(int callers) {
    await()
        .until(
            () ->
                calling.stream().filter(it -> it.getState() == Thread.State.WAITING).count()
                    == callers);
  }

  private void later(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private static Samples values(double value) {
    return new Samples.Values(List.of(value));
  }
}
