package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ComponentStatus;
import io.middleware.engine.api.GroupStatus;
import io.middleware.engine.api.Reasons;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The health of an object: as its status has it, and as the status should have it.
 *
 * @param current the health fields of the status as they are
 * @param next the bare object with the health fields of the status as they should be
 * @param changing whether a change runs
 * @param turning whether the phase or the readiness changes
 * @param roleless whether it was ready before and the role of a ready pod is unknown
 */
record StatusUpdate(
    String key,
    Object current,
    CustomResource<?, ?> next,
    boolean changing,
    boolean turning,
    boolean ready,
    boolean roleless) {

  /**
   * @param cluster its name; may be empty
   */
  static List<StatusUpdate> of(AppObservation observed, String cluster, Instant now) {
    var groups = GroupStates.of(observed);
    var app =
        new AppHealth(
            observed.app(),
            groups,
            observed.components(),
            observed.problems(),
            observed.endpoints());
    var parts = new PartStatuses(observed, groups, app.isChanging(), now);
    var all = new ArrayList<StatusUpdate>();
    observed.groups().stream()
        .filter(group -> !group.isMarkedForDeletion())
        .map(parts::of)
        .forEach(all::add);
    observed.components().stream()
        .filter(component -> !component.isMarkedForDeletion())
        .map(parts::of)
        .forEach(all::add);
    var backups = new BackupHealth(cluster, observed.app(), observed.backups());
    all.add(of(app, backups, observed.volumes(), now));
    return all;
  }

  boolean isUpToDate() {
    return next.getStatus().equals(current);
  }

  Duration delay(WriteDelays delays) {
    var delay = delays.of(changing, turning, ready, roleless);
    return isDrifted(next.getStatus()) && !isDrifted(current) && delay.compareTo(delays.drift()) < 0
        ? delays.drift()
        : delay;
  }

  private static boolean isDrifted(Object status) {
    var conditions =
        switch (status) {
          case AppStatus app -> app.conditions();
          case ComponentStatus component -> component.conditions();
          case GroupStatus group -> group.conditions();
          default -> List.<Condition>of();
        };
    return Stream.of(
            Reasons.OBJECTS_DRIFTED, Reasons.DEPENDENCIES_MISSING, Reasons.ENDPOINTS_OUTDATED)
        .anyMatch(it -> !HealthProblem.in(it, conditions).isEmpty());
  }

  private static StatusUpdate of(
      AppHealth health, BackupHealth backups, VolumeHealth volumes, Instant now) {
    var bare = bare(health.app(), new App());
    var current = volumes.current(backups.current(health.current()));
    var status = volumes.in(backups.in(health.status(now), now), now);
    bare.setStatus(status);
    return new StatusUpdate(
        key(health.app()),
        current,
        bare,
        health.isChanging(),
        turns(current, status),
        isReady(status.conditions()),
        false);
  }

  private static boolean turns(AppStatus before, AppStatus after) {
    return !after.phase().equals(before.phase())
        || isReady(after.conditions()) != isReady(before.conditions());
  }

  static String key(HasMetadata object) {
    return object.getMetadata().getUid();
  }

  static boolean isReady(List<Condition> conditions) {
    return ReadyCondition.readyIn(conditions).stream()
        .anyMatch(condition -> condition.getStatus().equals("True"));
  }

  static <R extends HasMetadata> R bare(R object, R empty) {
    empty.getMetadata().setName(object.getMetadata().getName());
    empty.getMetadata().setNamespace(object.getMetadata().getNamespace());
    return empty;
  }
}
