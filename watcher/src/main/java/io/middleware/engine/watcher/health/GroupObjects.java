package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatus;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.watcher.cache.ObservedObjects;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the objects of a group differ from what the engine has made. Between two changes only others
 * write or delete them. While a change runs, what was known last is kept.
 *
 * <ul>
 *   <li>An object of the inventory is missing.
 *   <li>The revision of the StatefulSet's pod template is another one than after the last write of
 *       the engine. The status of the Group keeps that revision, and which task has written it.
 *   <li>Another manager owns fields that are the engine's own.
 * </ul>
 *
 * @param problem of these, the first that there is
 * @param writtenTemplate as the Group's status is to have it; null when it is not known
 */
record GroupObjects(Optional<HealthProblem> problem, String writtenTemplate) {
  static final GroupObjects UNKNOWN = new GroupObjects(Optional.empty(), null);

  private static final String REAPPLY = "an Operation Reapply writes it again";

  /** A Group with its objects. */
  private record Observed(
      Group group, List<InventoryItem> inventory, List<StatefulSet> sets, ExistingObjects objects) {

    Stream<String> missing() {
      return inventory.stream()
          .filter(item -> !item.kind().equals("StatefulSet"))
          .filter(objects::lack)
          .map(
              item ->
                  "%s is gone, or has lost its labels: an Operation Reapply creates it again"
                      .formatted(name(item.kind(), item.name())));
    }

    Stream<String> changed(String written) {
      return sets.stream()
          .filter(set -> written != null && isOf(written, set) && !written.equals(written(set)))
          .map(
              set ->
                  "the pod template of %s is not as the engine has written it%s: a pod that starts again gets it so; %s"
                      .formatted(
                          name("StatefulSet", set.getMetadata().getName()),
                          ObservedObjects.foreignFields(set).map(" (%s)"::formatted).orElse(""),
                          REAPPLY));
    }

    Stream<String> foreign() {
      return Stream.concat(
              sets.stream(), inventory.stream().flatMap(it -> objects.find(it).stream()))
          .flatMap(
              object ->
                  ObservedObjects.foreignFields(object)
                      .map(
                          fields ->
                              "%s has fields of others (%s): an Operation Reapply takes them out"
                                  .formatted(
                                      name(object.getKind(), object.getMetadata().getName()),
                                      fields))
                      .stream())
          .distinct();
    }

    private String name(String kind, String name) {
      return "%s %s of group %s of %s"
          .formatted(
              kind,
              name,
              GroupStates.label(group, Labels.GROUP),
              GroupStates.label(group, Labels.COMPONENT));
    }
  }

  /**
   * @param found the StatefulSets with the group's labels
   * @param objects of its App
   * @param changing whether a change is under way
   * @param unfinished whether the engine may be writing these objects, more than once
   */
  static GroupObjects of(
      Group group,
      List<StatefulSet> found,
      ExistingObjects objects,
      boolean changing,
      boolean unfinished) {
    var status = Optional.ofNullable(group.getStatus());
    var before = status.map(GroupStatus::writtenTemplate).orElse(null);
    if (changing || unfinished || !objects.known()) {
      return new GroupObjects(
          status.flatMap(it -> HealthProblem.shown(Reasons.OBJECTS_DRIFTED, it.conditions())),
          unfinished ? null : before);
    }
    var inventory = status.map(GroupStatus::inventory).orElseGet(List::of);
    var sets = found.stream().filter(set -> isIn(inventory, set)).toList();
    var observed = new Observed(group, inventory, sets, objects);
    var written = sets.stream().findFirst().map(set -> written(before, set)).orElse(before);
    return new GroupObjects(
        problem(Reasons.OBJECTS_MISSING, observed.missing())
            .or(() -> problem(Reasons.TEMPLATE_CHANGED, observed.changed(written)))
            .or(() -> problem(Reasons.FOREIGN_FIELDS, observed.foreign())),
        written);
  }

  private static boolean isIn(List<InventoryItem> inventory, StatefulSet set) {
    return inventory.stream()
        .anyMatch(
            item ->
                item.kind().equals("StatefulSet")
                    && item.name().equals(set.getMetadata().getName()));
  }

  /** Of all these groups together; what is missing comes first. */
  static Optional<HealthProblem> problem(List<GroupState> groups) {
    var all = groups.stream().flatMap(group -> group.objects().problem().stream()).toList();
    return HealthProblem.together(
        Stream.of(Reasons.OBJECTS_MISSING, Reasons.TEMPLATE_CHANGED, Reasons.FOREIGN_FIELDS)
            .flatMap(reason -> all.stream().filter(it -> it.reason().equals(reason)))
            .toList());
  }

  private static Optional<HealthProblem> problem(String reason, Stream<String> texts) {
    var all = texts.toList();
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new HealthProblem(
                Reasons.OBJECTS_DRIFTED,
                reason,
                HealthProblem.shown(all.stream(), all.size(), "; ")));
  }

  /** The engine has written since, or its controller has not seen the newest template. */
  private static String written(String before, StatefulSet set) {
    return before != null && isOf(before, set) || set.getStatus() == null ? before : written(set);
  }

  /** Whether the task that has written it is still the last one. */
  private static boolean isOf(String written, StatefulSet set) {
    return written.startsWith(task(set) + " ") && set.getStatus() != null;
  }

  private static String written(StatefulSet set) {
    return task(set) + " " + set.getStatus().getUpdateRevision();
  }

  private static String task(StatefulSet set) {
    return GroupStates.annotation(set, Labels.WRITTEN_BY);
  }
}
