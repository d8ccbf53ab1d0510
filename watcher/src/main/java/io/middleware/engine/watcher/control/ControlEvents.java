package io.middleware.engine.watcher.control;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Makes one event from the outcome of each control request, and of each Operation that ends without
 * a run.
 */
public final class ControlEvents {
  private static final String CONTROLLER = "middleware.io/engine";
  private static final int LONGEST_NAME = 200;

  /** In bytes. */
  private static final int LONGEST_NOTE = 1024;

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final String instance;
  private final InstantSource clock;

  /**
   * @param instance the reporting process; at most 128 characters
   */
  public ControlEvents(String instance, InstantSource clock) {
    this.instance = instance;
    this.clock = clock;
  }

  /**
   * @param object that it is about
   * @param action what was done, in one word
   */
  public Event event(HasMetadata object, String action, ControlOutcome outcome) {
    var meta = object.getMetadata();
    return new EventBuilder()
        .withNewMetadata()
        .withName(name(meta.getName(), outcome.requestId()))
        .withNamespace(meta.getNamespace())
        .endMetadata()
        .withEventTime(new MicroTime(MICROS.format(clock.instant())))
        .withReportingController(CONTROLLER)
        .withReportingInstance(instance)
        .withType(outcome.refused() ? "Warning" : "Normal")
        .withReason(outcome.reason())
        .withAction(action)
        .withNote(Excerpt.withinBytes(PlainText.clean(outcome.note(), LONGEST_NOTE), LONGEST_NOTE))
        .withNewRegarding()
        .withApiVersion(object.getApiVersion())
        .withKind(object.getKind())
        .withNamespace(meta.getNamespace())
        .withName(meta.getName())
        .withUid(meta.getUid())
        .endRegarding()
        .build();
  }

  private static String name(String object, String requestId) {
    return Excerpt.ofName(object, LONGEST_NAME) + "." + requestId;
  }
}
