package io.middleware.engine.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubmissionTest {
  private static final ResourceID CACHE = new ResourceID("cache", "shop");

  private final List<String> taken = new CopyOnWriteArrayList<>();
  private final List<ResourceID> reconciled = new CopyOnWriteArrayList<>();
  private final CountDownLatch answer = new CountDownLatch(1);
  private Submission submission;

  @AfterEach
  void stop() {
    answer.countDown();
    submission.close();
  }

  @Test
  void shouldNotWaitForATemporalThatNeverAnswers() {
    // Given
    open(app -> never());
    // When
    for (var i = 0; i < 2000; i++) {
      submission.take(app("cache-" + i, 1));
    }
    // Then
    assertThat(answer.getCount()).isOne();
  }

  @Test
  void shouldSubmitTheNewestStateOfAnAppInTurn() {
    // Given
    open(app -> app.getMetadata().getGeneration() == 1 ? never() : Optional.empty());
    submission.take(app("cache", 1));
    await().until(() -> taken.size() == 1);
    // When
    for (var generation = 2; generation <= 9; generation++) {
      submission.take(app("cache", generation));
    }
    submission.take(app("other", 5));
    await().until(() -> taken.contains("other 5"));
    assertThat(taken).containsExactly("cache 1", "other 5");
    answer.countDown();
    // Then
    await().until(() -> taken.contains("cache 9"));
    assertThat(taken).containsExactly("cache 1", "other 5", "cache 9");
  }

  @Test
  void shouldAskForAnotherReconciliationInTime() {
    // Given
    open(app -> Optional.of(Duration.ofMillis(300)));
    // When
    submission.take(app("cache", 1));
    submission.take(app("cache", 2));
    // Then
    await().until(() -> !reconciled.isEmpty());
    await().during(Duration.ofMillis(500)).until(() -> reconciled.equals(List.of(CACHE)));
  }

  @Test
  void shouldTryAgainAfterAFailure() {
    // Given
    var failed = new AtomicInteger();
    open(
        app -> {
          failed.incrementAndGet();
          throw new IllegalStateException("the API server does not answer");
        });
    // When
    submission.take(app("cache", 1));
    // Then
    await().until(() -> reconciled.equals(List.of(CACHE)));
    submission.take(app("cache", 1));
    await().until(() -> failed.get() == 2);
  }

  private void open(Function<App, Optional<Duration>> work) {
    submission =
        new Submission(
            app -> {
              var meta = app.getMetadata();
              taken.add(meta.getName() + " " + meta.getGeneration());
              return work.apply(app);
            },
            reconciled::add);
  }

  private Optional<Duration> never() {
    try {
      answer.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  private static App app(String name, long generation) {
    var app = Objects.app(generation);
    app.getMetadata().setName(name);
    return app;
  }
}
