package io.middleware.engine.cluster.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ChangeRef;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events on a best-effort basis: an event that cannot be written is only logged. The same
 * event recorded twice is one event.
 */
public final class EventRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
  private static final String CONTROLLER = "middleware.io/engine";
  private static final int LONGEST_NOTE = 1024;
  private static final int LONGEST_NAME = 200;
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final KubernetesClient client;
  private final String instance;
  private final Clock clock;
  private final SensitiveValues secrets;

  /**
   * @param client with the engine's own rights
   * @param instance the reporting process, for example the pod's name; at most 128 characters
   * @param secrets are not shown in an event
   */
  public EventRecorder(
      KubernetesClient client, String instance, Clock clock, SensitiveValues secrets) {
    this.client = client;
    this.instance = instance;
    this.clock = clock;
    this.secrets = secrets;
  }

  /** Records what happened to the App of this change; never fails. */
  public void record(ChangeRef change, EngineEvent what) {
    var app = new App();
    app.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(change.namespace())
            .withName(change.app())
            .withUid(change.uid())
            .build());
    record(app, what);
  }

  /** Records what happened to this object; never fails. */
  public void record(HasMetadata object, EngineEvent what) {
    try {
      client.events().v1().events().resource(event(object, what)).create();
    } catch (RuntimeException e) {
      if (!isThere(e)) {
        LOG.atWarn()
            .setCause(e)
            .addKeyValue("object", object.getMetadata().getName())
            .addKeyValue("reason", what.reason())
            .log("could not write an event");
      }
    }
  }

  Event event(HasMetadata object, EngineEvent what) {
    var about = object.getMetadata();
    return new EventBuilder()
        .withNewMetadata()
        .withName(name(object, what))
        .withNamespace(about.getNamespace())
        .endMetadata()
        .withEventTime(new MicroTime(MICROS.format(clock.instant())))
        .withReportingController(CONTROLLER)
        .withReportingInstance(instance)
        .withType(what.kind().label())
        .withReason(what.reason())
        .withAction(what.action())
        .withNote(Excerpt.withinBytes(secrets.hide(about.getUid(), what.note()), LONGEST_NOTE))
        .withRegarding(
            new ObjectReferenceBuilder()
                .withApiVersion(object.getApiVersion())
                .withKind(object.getKind())
                .withNamespace(about.getNamespace())
                .withName(about.getName())
                .withUid(about.getUid())
                .build())
        .build();
  }

  private static String name(HasMetadata object, EngineEvent what) {
    var about = object.getMetadata();
    var name = about.getName();
    return Excerpt.ofName(name, LONGEST_NAME) + "." + digest(about.getUid() + "/" + what.key());
  }

  private static String digest(String text) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static boolean isThere(RuntimeException e) {
    return e instanceof KubernetesClientException refused
        && refused.getStatus() != null
        && "AlreadyExists".equals(refused.getStatus().getReason());
  }
}
