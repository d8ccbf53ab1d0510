package io.middleware.engine.watcher.health;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds volume claims that are being deleted while a pod uses them: each goes, with its data, as
 * soon as its pod does.
 *
 * @param claims of the App
 * @param pods of the App
 */
record VolumeHealth(App app, List<PersistentVolumeClaim> claims, List<Pod> pods) {
  /** The engine takes the pod at once when it deletes a claim itself. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  private static final int MOST_NAMED = 3;

  VolumeHealth {
    claims = List.copyOf(claims);
    pods = List.copyOf(pods);
  }

  /** This status, with the condition if there is such a claim. */
  AppStatus in(AppStatus health, Instant now) {
    return with(health, condition(now));
  }

  /** This status, with what the App's status says of such claims. */
  AppStatus current(AppStatus health) {
    return with(health, shown(app));
  }

  /** How soon a claim may count; empty when all that may do so already. */
  Optional<Duration> nextCheck(Instant now) {
    return used()
        .map(claim -> Duration.between(now, counts(claim)))
        .filter(Duration::isPositive)
        .min(Comparator.naturalOrder());
  }

  /** The claims, by name. */
  List<PersistentVolumeClaim> atRisk(Instant now) {
    return used()
        .filter(claim -> !counts(claim).isAfter(now))
        .sorted(Comparator.comparing(claim -> claim.getMetadata().getName()))
        .toList();
  }

  /** For people, of one claim. */
  static String message(PersistentVolumeClaim claim) {
    return "volume claim %s is being deleted and goes, with its data, as soon as its pod does; no step of the engine takes that pod away; save the data, then delete the pod yourself"
        .formatted(claim.getMetadata().getName());
  }

  /** Whether the App's status says that a volume is at risk. */
  static boolean isAtRisk(App app) {
    return shown(app).isPresent();
  }

  private Stream<PersistentVolumeClaim> used() {
    return app.isMarkedForDeletion()
        ? Stream.empty()
        : claims.stream()
            .filter(PersistentVolumeClaim::isMarkedForDeletion)
            .filter(claim -> pods.stream().anyMatch(pod -> isUsedBy(pod, claim)));
  }

  /** A StatefulSet names the claims of a pod after it. */
  private static boolean isUsedBy(Pod pod, PersistentVolumeClaim claim) {
    return !pod.isMarkedForDeletion()
        && claim.getMetadata().getName().endsWith("-" + pod.getMetadata().getName());
  }

  private static Instant counts(PersistentVolumeClaim claim) {
    return Instant.parse(claim.getMetadata().getDeletionTimestamp()).plus(SETTLING);
  }

  private Optional<Condition> condition(Instant now) {
    var found = atRisk(now);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    var since = shown(app).map(Condition::getLastTransitionTime).orElseGet(() -> Timestamp.of(now));
    return Optional.of(
        new ConditionBuilder()
            .withType(Reasons.VOLUMES_AT_RISK)
            .withStatus("True")
            .withReason(Reasons.CLAIMS_BEING_DELETED)
            .withMessage(message(found))
            .withObservedGeneration(app.getMetadata().getGeneration())
            .withLastTransitionTime(since)
            .build());
  }

  private static String message(List<PersistentVolumeClaim> found) {
    var named = found.stream().limit(MOST_NAMED).map(VolumeHealth::nameOf).collect(joining(", "));
    var more = found.size() > MOST_NAMED ? " and %d more".formatted(found.size() - MOST_NAMED) : "";
    return "being deleted, and gone with their data as soon as their pods are: volume claims %s%s; no step of the engine takes these pods away; save the data, then delete each pod yourself"
        .formatted(named, more);
  }

  private static String nameOf(PersistentVolumeClaim claim) {
    return claim.getMetadata().getName();
  }

  private static Optional<Condition> shown(App app) {
    return app.getStatus() == null || app.getStatus().conditions() == null
        ? Optional.empty()
        : app.getStatus().conditions().stream()
            .filter(condition -> Reasons.VOLUMES_AT_RISK.equals(condition.getType()))
            .findFirst();
  }

  private static AppStatus with(AppStatus health, Optional<Condition> condition) {
    return condition
        .map(
            it ->
                health.withConditions(
                    Stream.concat(health.conditions().stream(), Stream.of(it)).toList()))
        .orElse(health);
  }
}
