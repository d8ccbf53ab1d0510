package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * An object's health as its status shows it and as it should.
 *
 * @param present health's part of the status as it is
 * @param next the bare object with health's part of the status as it should be
 * @param changing whether a change is under way
 * @param turning whether people see another phase or readiness
 * @param roleless whether it was ready before, and a ready pod's role is not known, or not yet
 */
record StatusUpdate(
    String key,
    Object present,
    CustomResource<?, ?> next,
    boolean changing,
    boolean turning,
    boolean ready,
    boolean roleless) {

  static List<StatusUpdate> of(AppObservation seen, Instant now) {
    var groups = GroupStates.of(seen);
    var app = new AppHealth(seen.app(), groups);
    var parts = new PartStatuses(seen, groups, app.isChanging(), now);
    var all = new ArrayList<StatusUpdate>();
    seen.groups().stream()
        .filter(group -> !group.isMarkedForDeletion())
        .map(parts::of)
        .forEach(all::add);
    seen.components().stream()
        .filter(component -> !component.isMarkedForDeletion())
        .map(parts::of)
        .forEach(all::add);
    all.add(of(app, now));
    return all;
  }

  boolean isTrue() {
    return next.getStatus().equals(present);
  }

  Duration hold(WriteDelays holds) {
    return holds.of(changing, turning, ready, roleless);
  }

  private static StatusUpdate of(AppHealth health, Instant now) {
    var bare = bare(health.app(), new App());
    var status = health.status(now);
    bare.setStatus(status);
    return new StatusUpdate(
        key(health.app()),
        health.present(),
        bare,
        health.isChanging(),
        turns(health.present(), status),
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
    return conditions.stream().anyMatch(condition -> condition.getStatus().equals("True"));
  }

  static <R extends HasMetadata> R bare(R object, R empty) {
    empty.getMetadata().setName(object.getMetadata().getName());
    empty.getMetadata().setNamespace(object.getMetadata().getNamespace());
    return empty;
  }
}
