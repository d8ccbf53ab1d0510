package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProcessExitTest {
  private final AtomicInteger ends = new AtomicInteger();
  private final GracefulShutdown stop = new GracefulShutdown(Duration.ofSeconds(1));
  private final ProcessExit exit = new ProcessExit(stop, ends::incrementAndGet);

  @Test
  void shouldEndTheProcess() {
    // When
    exit.because("the lease is lost", null);

    // Then
    await().until(() -> ends.get() == 1);
  }

  @Test
  void shouldLeaveAProcessAloneThatIsEnding() {
    // Given
    stop.close();

    // When
    exit.because("the lease is lost", null);

    // Then
    assertThat(ends).hasValue(0);
  }
}
