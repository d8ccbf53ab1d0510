package io.middleware.engine.process.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.temporal.failure.CanceledFailure;

/**
 * Drops the warnings of Temporal's SDK about timers of waits that were cancelled. Warnings about
 * other failed promises are kept.
 */
public final class CancelledTimers extends Filter<ILoggingEvent> {
  private static final String LOGGER = "io.temporal.internal.sync.DeterministicRunnerImpl";

  @Override
  public FilterReply decide(ILoggingEvent event) {
    var cause = event.getThrowableProxy();
    return cause != null
            && event.getLoggerName().equals(LOGGER)
            && cause.getClassName().equals(CanceledFailure.class.getName())
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
