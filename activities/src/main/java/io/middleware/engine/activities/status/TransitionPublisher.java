package io.middleware.engine.activities.status;

import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
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
   * @param before the App with its earlier status
   */
  void publish(App before, AppStatus status) {
    metrics.count(before.getStatus(), status);
    for (var event : StatusTransitions.between(before.getStatus(), status)) {
      LOG.atInfo().addKeyValue("reason", event.reason()).log(event.note());
      events.record(before, event);
    }
  }
}
