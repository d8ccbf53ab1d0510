package io.middleware.engine.process.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import io.temporal.failure.CanceledFailure;
import org.junit.jupiter.api.Test;

class CancelledTimersTest {
  private static final String SDK = "io.temporal.internal.sync.DeterministicRunnerImpl";

  @Test
  void shouldDropCancelledPromisesOfTheSdkAlone() {
    var cancelled = new CanceledFailure("Canceled by request");
    assertThat(decide(SDK, cancelled)).isEqualTo(FilterReply.DENY);
    assertThat(decide(SDK, new IllegalStateException("a bug"))).isEqualTo(FilterReply.NEUTRAL);
    assertThat(decide(SDK, null)).isEqualTo(FilterReply.NEUTRAL);
    assertThat(decide("io.middleware.engine.Any", cancelled)).isEqualTo(FilterReply.NEUTRAL);
  }

  private static FilterReply decide(String logger, Throwable cause) {
    var event =
        new LoggingEvent(
            "", new LoggerContext().getLogger(logger), Level.WARN, "ignored", cause, new Object[0]);
    return new CancelledTimers().decide(event);
  }
}
