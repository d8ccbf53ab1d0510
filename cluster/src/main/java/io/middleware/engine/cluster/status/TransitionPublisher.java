package io.middleware.engine.cluster.status;

import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes what has happened between two statuses of an App: as events, logs and metrics. */
public final class TransitionPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(TransitionPublisher.class);

  private final EventRecorder events;
  private final ChangeMetrics metrics;

  /**
   * @param meters count the changes and tasks that have ended
   */
  public TransitionPublisher(EventRecorder events, MeterRegistry meters) {
    this.events = events;
    this.metrics = new ChangeMetrics(meters);
  }

  /**
   * Before the status is written: a process that dies in between is followed by one that does both
   * again. What is published twice counts once.
   *
   * @param before the App with its earlier status
   * @param next its next status, if there is one
   * @return the next status
   */
  public Optional<AppStatus> publish(App before, Optional<AppStatus> next) {
    next.ifPresent(
        status -> {
          metrics.count(before.getStatus(), status);
          for (var event : StatusTransitions.between(before.getStatus(), status)) {
            LOG.atInfo().addKeyValue("reason", event.reason()).log(event.note());
            events.record(before, event);
          }
        });
    return next;
  }
}
