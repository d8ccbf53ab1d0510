package io.middleware.engine.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdleThreadsTest {
  private final ThreadPoolExecutor threads = IdleThreads.upTo(2, "idle-", Duration.ofMillis(1));

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void shouldEndThreadsThatAreIdle() throws Exception {
    for (var task = 0; task < 4; task++) {
      threads.submit(() -> {}).get();
    }
    await().until(() -> threads.getPoolSize() == 0);
    assertThat(threads.submit(() -> "again").get()).isEqualTo("again");
  }

  @Test
  void shouldKeepTasksBeyondTheLimitWaiting() {
    // Given
    var end = new CountDownLatch(1);
    // When
    for (var task = 0; task < 5; task++) {
      threads.submit(
          () -> {
            end.await();
            return null;
          });
    }
    // Then
    assertThat(threads.getPoolSize()).isEqualTo(2);
    assertThat(threads.getQueue()).hasSize(3);
    end.countDown();
    await().until(() -> threads.getCompletedTaskCount() == 5);
  }
}
