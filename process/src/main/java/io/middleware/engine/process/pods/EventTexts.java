package io.middleware.engine.process.pods;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.middleware.engine.api.task.PlainText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What events say of an object, where its status says nothing. The event that came last counts: a
 * warning that was followed by progress is over.
 */
public final class EventTexts {
  private static final String REFUSED = "FailedCreate";
  private static final Set<String> CREATION = Set.of(REFUSED, "SuccessfulCreate");
  private static final String PULL_SECRET = "FailedToRetrieveImagePullSecret";

  /** The status of the pod says it better. */
  private static final Set<String> IN_STATUS = Set.of("BackOff", "Failed", "FailedScheduling");

  private static final Set<String> UNBOUND = Set.of("ProvisioningFailed", "FailedBinding");
  private static final Set<String> BINDING =
      Set.of("ProvisioningFailed", "FailedBinding", "ProvisioningSucceeded", "WaitForPodScheduled");

  /** Of a StatefulSet, and of a Job or ReplicaSet. */
  private static final Pattern CONTROLLER =
      Pattern.compile(
          "create (Claim (?<claim>\\S+) for )?Pod \\S+ in StatefulSet \\S+ failed error: |Error creating: ");

  /** Before the words of who refused it; the second of these, of a webhook that does not answer. */
  private static final Pattern REFUSAL =
      Pattern.compile("^(\\S+ \"[^\"]*\" is forbidden: |Internal error occurred: )");

  private EventTexts() {}

  /**
   * What keeps a pod from becoming ready; empty when its last event does not warn.
   *
   * @param lacksImage whether it waits for an image: then only a pull secret is of interest
   */
  public static Optional<String> ofPod(List<Event> events, boolean lacksImage) {
    return last(
            events,
            event ->
                lacksImage
                    ? PULL_SECRET.equals(event.getReason())
                    : !IN_STATUS.contains(event.getReason()))
        .filter(EventTexts::warns)
        .map(EventTexts::text);
  }

  /** Why a volume claim is not bound; empty when nothing says so. */
  public static Optional<String> unbound(String claim, List<Event> events) {
    return last(events, event -> BINDING.contains(event.getReason()))
        .filter(event -> UNBOUND.contains(event.getReason()))
        .map(event -> "%s (volume claim %s)".formatted(text(event), claim));
  }

  /**
   * Why a controller cannot create a pod. It says so seldom: a refusal holds until the pod is
   * created, however old it is.
   *
   * @param pod that is missing; empty for any
   */
  public static Optional<String> refusedCreation(List<Event> events, Optional<String> pod) {
    return last(
            events,
            event ->
                CREATION.contains(event.getReason())
                    && pod.filter(name -> !isAbout(name, event)).isEmpty())
        .filter(event -> REFUSED.equals(event.getReason()))
        .map(event -> "cannot be created: " + cause(event));
  }

  /**
   * The words of who refused it. What the controller and the API server put before them names the
   * pod again, up to three times: then the cause is not where people look first.
   */
  private static String cause(Event event) {
    var note = note(event);
    var controller = CONTROLLER.matcher(note);
    if (!controller.lookingAt()) {
      return REFUSAL.matcher(note).replaceFirst("");
    }
    var words = REFUSAL.matcher(note.substring(controller.end())).replaceFirst("");
    return Optional.ofNullable(controller.group("claim"))
        .map(claim -> "volume claim %s: %s".formatted(claim, words))
        .orElse(words);
  }

  /** The note says what of the pod is created: itself, or the claim of its volume. */
  private static boolean isAbout(String pod, Event event) {
    return event.getNote() != null && (event.getNote() + " ").contains(" Pod " + pod + " ");
  }

  private static Optional<Event> last(List<Event> events, Predicate<Event> wanted) {
    return events.stream()
        .filter(wanted)
        .max(comparing(EventTexts::time).thenComparing(EventTexts::isProblem));
  }

  private static boolean isProblem(Event event) {
    return warns(event) || REFUSED.equals(event.getReason());
  }

  private static boolean warns(Event event) {
    return "Warning".equals(event.getType());
  }

  private static String text(Event event) {
    return "%s: %s".formatted(event.getReason(), note(event));
  }

  private static String note(Event event) {
    return event.getNote() == null ? "" : PlainText.clean(event.getNote());
  }

  /** Kubelets tell only the second. Of several events in one, the problem counts. */
  private static Instant time(Event event) {
    var series = event.getSeries() == null ? null : event.getSeries().getLastObservedTime();
    return Stream.of(
            Optional.ofNullable(event.getDeprecatedLastTimestamp()),
            Optional.ofNullable(series).map(it -> it.getTime()),
            Optional.ofNullable(event.getEventTime()).map(it -> it.getTime()))
        .flatMap(Optional::stream)
        .map(text -> Instant.parse(text).truncatedTo(ChronoUnit.SECONDS))
        .max(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }
}
