package io.middleware.engine.watcher.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.process.PlainText;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Makes one event from the outcome of each control request. */
public final class ControlEvents {
  private static final String CONTROLLER = "middleware.io/engine";
  private static final String ACTION = "Control";
  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_NOTE = 1024;
  private static final String ELLIPSIS = "…";
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

  Event event(App app, ControlOutcome outcome) {
    var meta = app.getMetadata();
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
        .withAction(ACTION)
        .withNote(truncated(PlainText.clean(outcome.note(), LONGEST_NOTE)))
        .withNewRegarding()
        .withApiVersion(app.getApiVersion())
        .withKind(app.getKind())
        .withNamespace(meta.getNamespace())
        .withName(meta.getName())
        .withUid(meta.getUid())
        .endRegarding()
        .build();
  }

  private static String name(String app, String requestId) {
    return (app.length() > LONGEST_NAME ? app.substring(0, LONGEST_NAME) : app) + "." + requestId;
  }

  /** The API server limits the note in bytes. */
  private static String truncated(String note) {
    if (note.getBytes(UTF_8).length <= LONGEST_NOTE) {
      return note;
    }
    var end = Math.min(note.length(), LONGEST_NOTE);
    while ((note.substring(0, end) + ELLIPSIS).getBytes(UTF_8).length > LONGEST_NOTE
        || Character.isHighSurrogate(note.charAt(end - 1))) {
      end--;
    }
    return note.substring(0, end) + ELLIPSIS;
  }
}
