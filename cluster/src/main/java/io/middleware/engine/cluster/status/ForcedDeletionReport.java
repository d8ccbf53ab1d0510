package io.middleware.engine.cluster.status;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.cluster.status.EngineEvent.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports what the forced deletion of an App has abandoned. */
public final class ForcedDeletionReport {
  private static final Logger LOG = LoggerFactory.getLogger(ForcedDeletionReport.class);

  private final EventRecorder events;

  public ForcedDeletionReport(EventRecorder events) {
    this.events = events;
  }

  /**
   * @param object its kind and name
   * @param why the reason, for people
   */
  public void report(App app, String object, String why) {
    LOG.atWarn()
        .addKeyValue("namespace", app.getMetadata().getNamespace())
        .addKeyValue("app", app.getMetadata().getName())
        .addKeyValue("object", object)
        .addKeyValue("reason", why)
        .log("abandoned during forced deletion");
    events.record(
        app,
        new EngineEvent(
            "given-up/" + object,
            Kind.WARNING,
            Reasons.TEARDOWN_GIVEN_UP,
            "Delete",
            "abandoned during forced deletion: %s: %s".formatted(object, why)));
  }
}
