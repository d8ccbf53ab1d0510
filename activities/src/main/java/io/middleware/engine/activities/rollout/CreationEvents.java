package io.middleware.engine.activities.rollout;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the controller of a StatefulSet said last about a pod. It says so in events only, and
 * seldom: a refusal holds until the pod is created, however old it is.
 */
final class CreationEvents implements CreationRefusals {
  private static final Logger LOG = LoggerFactory.getLogger(CreationEvents.class);
  private static final String REFUSED = "FailedCreate";
  private static final Set<String> REASONS = Set.of(REFUSED, "SuccessfulCreate");

  private final KubernetesClient engine;

  /**
   * @param engine client with the engine's own rights
   */
  CreationEvents(KubernetesClient engine) {
    this.engine = engine;
  }

  @Override
  public Optional<String> of(StatefulSet set, String pod) {
    return events(set).stream()
        .filter(event -> REASONS.contains(event.getReason()))
        .filter(event -> isAbout(pod, event))
        .max(comparing(CreationEvents::time).thenComparing(event -> !isRefusal(event)))
        .filter(CreationEvents::isRefusal)
        .map(event -> "pod %s: cannot be created: %s".formatted(pod, event.getNote()));
  }

  /** Nothing depends on them: what cannot be read is asked for again. */
  private List<Event> events(StatefulSet set) {
    var about = set.getMetadata();
    try {
      return engine
          .resources(Event.class)
          .inNamespace(about.getNamespace())
          .withField("regarding.uid", about.getUid())
          .list()
          .getItems();
    } catch (KubernetesClientException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("statefulSet", about.getName())
          .log("could not read why a pod is missing");
      return List.of();
    }
  }

  /** The note says what of the pod is created: itself, or the claim of its volume. */
  private static boolean isAbout(String pod, Event event) {
    return event.getNote() != null && (event.getNote() + " ").contains(" Pod " + pod + " ");
  }

  private static boolean isRefusal(Event event) {
    return REFUSED.equals(event.getReason());
  }

  private static Instant time(Event event) {
    var series = event.getSeries() == null ? null : event.getSeries().getLastObservedTime();
    return Stream.of(
            Optional.ofNullable(event.getDeprecatedLastTimestamp()),
            Optional.ofNullable(series).map(it -> it.getTime()),
            Optional.ofNullable(event.getEventTime()).map(it -> it.getTime()))
        .flatMap(Optional::stream)
        .map(Instant::parse)
        .max(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }
}
