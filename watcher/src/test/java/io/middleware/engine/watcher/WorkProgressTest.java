package io.middleware.engine.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkProgressTest {
  private final AtomicLong now = new AtomicLong();
  private final CountDownLatch end = new CountDownLatch(1);
  private final WorkProgress progress = new WorkProgress("reconciliations", now::get);

  @AfterEach
  void release() {
    end.countDown();
  }

  @Test
  void shouldNotMissWorkWhenThereIsNone() {
    progress.during(() -> 1);
    pass(Duration.ofDays(1));
    assertThat(progress.problem()).isEmpty();
  }

  @Test
  void shouldReportWorkOfWhichNothingEnds() {
    // Given
    pass(Duration.ofDays(1));
    hang();
    hang();
    // When, Then
    pass(Duration.ofMinutes(9));
    assertThat(progress.problem()).isEmpty();
    pass(Duration.ofMinutes(2));
    assertThat(progress.problem()).contains("2 reconciliations run, and none has ended for 660 s");
  }

  @Test
  void shouldNotReportThatOneHangsWhileOthersEnd() {
    // Given
    hang();
    pass(Duration.ofHours(1));
    // When
    progress.during(() -> 1);
    // Then
    assertThat(progress.problem()).isEmpty();
  }

  @Test
  void shouldTakeAFailureForAnEnd() {
    // Given
    hang();
    pass(Duration.ofHours(1));
    // When
    try {
      progress.during(
          () -> {
            throw new IllegalStateException("the API server does not answer");
          });
    } catch (IllegalStateException e) {
      // Then
      assertThat(progress.problem()).isEmpty();
    }
  }

  private void hang() {
    var begun = new AtomicBoolean();
    Thread.ofVirtual()
        .start(
            () ->
                progress.during(
                    () -> {
                      begun.set(true);
                      try {
                        end.await();
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                      return 1;
                    }));
    await().untilTrue(begun);
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
