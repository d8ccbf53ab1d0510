package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class GracefulShutdownTest {
  private final List<String> closed = new CopyOnWriteArrayList<>();

  @Test
  void shouldCloseLastOpenedFirstOnceAndPassOverFailures() {
    // Given
    var stop = new GracefulShutdown(Duration.ofSeconds(5));
    stop.opened("temporal", () -> closed.add("temporal"));
    stop.opened(
        "operator",
        () -> {
          throw new IllegalStateException("no");
        });
    stop.opened("worker", () -> closed.add("worker"));
    // When
    stop.close();
    stop.close();
    // Then
    assertThat(closed).containsExactly("worker", "temporal");
    assertThat(stop.begun()).isTrue();
  }

  @Test
  void shouldNotOutlastItsDeadline() {
    // Given
    var stop = new GracefulShutdown(Duration.ofMillis(50));
    var never = new CountDownLatch(1);
    stop.opened("stuck", never::await);
    // When
    stop.close();
    // Then
    assertThat(never.getCount()).isOne();
    never.countDown();
  }
}
