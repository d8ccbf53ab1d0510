package io.middleware.engine.planning;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.SpecEquality;
import io.middleware.engine.planning.app.VolumeEdit;
import io.middleware.engine.planning.app.VolumeField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The difference between a deployed Component and the desired one. It compares states, not their
 * history: whatever an earlier change did not finish is planned again.
 */
final class ComponentDiff {
  private static final int LONGEST = 200;

  /** If unfinished, a task of type Config replaces the pods that they have not reached. */
  private static final List<ChangeType> RESTARTS = List.of(ChangeType.CONFIG, ChangeType.RESOURCES);

  private static final Set<ChangeType> STATE_CHANGES = Set.of(ChangeType.STOP, ChangeType.START);

  /** The types whose tasks write all groups as they are to be, and replace what is out of date. */
  private static final Set<ChangeType> WRITE_ALL =
      Set.of(
          ChangeType.VERSION_UPGRADE,
          ChangeType.CONFIG,
          ChangeType.RESOURCES,
          ChangeType.START,
          ChangeType.STOP);

  private final Map<ChangeType, List<String>> changes = new EnumMap<>(ChangeType.class);
  private final DesiredApp desiredApp;

  private ComponentDiff(DesiredApp desiredApp) {
    this.desiredApp = desiredApp;
  }

  /** All changes, component by component. */
  static List<PlannedChange> of(DesiredApp desiredApp, List<DeployedComponent> deployed) {
    var desired = desiredApp.components();
    var kept =
        desired.values().stream()
            .flatMap(component -> of(desiredApp, component, deployed).stream());
    var dropped =
        deployed.stream()
            .map(DeployedComponent::component)
            .filter(component -> !desired.containsKey(component))
            .sorted()
            .map(component -> removal(desiredApp, component, deployed));
    return Stream.concat(kept, dropped).toList();
  }

  static PlannedChange removal(String component) {
    return new PlannedChange(component, ChangeType.REMOVE, "remove " + component);
  }

  private static PlannedChange removal(
      DesiredApp desiredApp, String component, List<DeployedComponent> deployed) {
    var hasVolumes =
        deployed.stream()
            .filter(one -> one.component().equals(component))
            .flatMap(one -> ComponentSpecs.byName(one.spec()).values().stream())
            .anyMatch(ComponentDiff::hasVolumes);
    return new PlannedChange(
        component,
        ChangeType.REMOVE,
        TaskDescriptions.removal(component, hasVolumes, desiredApp.spec()));
  }

  private static List<PlannedChange> of(
      DesiredApp desiredApp, ComponentSpec desired, List<DeployedComponent> deployed) {
    var diff = new ComponentDiff(desiredApp);
    deployed.stream()
        .filter(one -> one.component().equals(desired.component()))
        .findFirst()
        .ifPresentOrElse(current -> diff.compare(current, desired), () -> diff.provision(desired));
    return diff.changes.entrySet().stream()
        .map(
            entry ->
                new PlannedChange(
                    desired.component(),
                    entry.getKey(),
                    Excerpt.within(String.join("; ", entry.getValue()), LONGEST)))
        .toList();
  }

  private void provision(ComponentSpec desired) {
    note(ChangeType.PROVISION, TaskDescriptions.provision(desired));
  }

  private void compare(DeployedComponent current, ComponentSpec desired) {
    var was = current.spec();
    if (!was.type().equals(desired.type())) {
      note(
          ChangeType.CONFIG,
          "type of %s: %s → %s".formatted(desired.component(), was.type(), desired.type()));
    }
    if (was.restoreFrom() != null && !was.restoreFrom().equals(desired.restoreFrom())) {
      note(ChangeType.CONFIG, TaskDescriptions.beginning(was, desired));
    }
    state(was, desired);
    software(was, desired);
    var groups = ComponentSpecs.byName(desired);
    var oldGroups = ComponentSpecs.byName(was);
    configuration(current, desired, common(was, desired));
    groups.forEach(
        (name, group) -> {
          if (oldGroups.containsKey(name)) {
            size(desired, oldGroups.get(name), group);
          } else {
            note(ChangeType.PROVISION, TaskDescriptions.provision(desired.component(), group));
          }
        });
    oldGroups.keySet().stream()
        .filter(name -> !groups.containsKey(name))
        .forEach(
            name ->
                note(
                    ChangeType.REMOVE,
                    TaskDescriptions.removal(
                        desired.component() + "/" + name,
                        hasVolumes(oldGroups.get(name)),
                        desiredApp.spec())));
    unfinished(current, desired);
    takeOver(current, desired);
  }

  /**
   * Any task makes the App the owner of what a deleted one has left behind. It may have been edited
   * since, so at least one writes all of it.
   */
  private void takeOver(DeployedComponent current, ComponentSpec desired) {
    if (current.leftBehind() && Collections.disjoint(changes.keySet(), WRITE_ALL)) {
      changes.remove(ChangeType.REAPPLY);
      note(ChangeType.REAPPLY, TaskDescriptions.takeOver(desired));
    }
  }

  private void state(ComponentSpec was, ComponentSpec desired) {
    if (was.isStopped() != desired.isStopped()) {
      note(stateChange(desired), TaskDescriptions.state(desired));
    }
  }

  private static ChangeType stateChange(ComponentSpec desired) {
    return desired.isStopped() ? ChangeType.STOP : ChangeType.START;
  }

  private void software(ComponentSpec was, ComponentSpec desired) {
    if (!Objects.equals(was.runtime(), desired.runtime())) {
      note(
          ChangeType.VERSION_UPGRADE,
          TaskDescriptions.upgrade(
              "runtime",
              List.of(was.runtime().name(), was.runtime().version()),
              List.of(desired.runtime().name(), desired.runtime().version()),
              desired.component()));
    }
    if (!Objects.equals(was.plugin(), desired.plugin())) {
      note(
          ChangeType.VERSION_UPGRADE,
          TaskDescriptions.upgrade(
              "plugin",
              List.of(was.plugin().name(), was.plugin().version()),
              List.of(desired.plugin().name(), desired.plugin().version()),
              desired.component()));
    }
  }

  private void configuration(
      DeployedComponent current, ComponentSpec desired, List<String> groups) {
    var was = current.spec();
    var edits = edits(desiredApp, current, desired, groups);
    var images = new PlannedImages(desiredApp.plugin(), current, desired);
    var software =
        was.plugin().equals(desired.plugin()) ? ChangeType.CONFIG : ChangeType.VERSION_UPGRADE;
    images.descriptions(groups).forEach(description -> note(software, description));
    edits.descriptions().forEach(description -> note(ChangeType.CONFIG, description));
    if (!Objects.equals(was.monitoring(), desired.monitoring())) {
      note(ChangeType.CONFIG, "monitoring of " + desired.component());
    }
    if (!Objects.equals(was.access(), desired.access())) {
      note(ChangeType.CONFIG, "access to " + desired.component());
    }
    if (!Objects.equals(was.backup(), desired.backup())) {
      note(ChangeType.CONFIG, "backup of " + desired.component());
    }
  }

  private static ConfigEdits edits(
      DesiredApp desiredApp,
      DeployedComponent current,
      ComponentSpec desired,
      List<String> groups) {
    var unfinished = RESTARTS.stream().filter(current.unfinished()::contains).findFirst();
    var edits = new ConfigEdits(desiredApp, desired, groups, unfinished);
    for (var group : groups) {
      edits.compare(
          group,
          current.plugin(group, desiredApp.plugin()),
          current.config(group, desiredApp.plugin()),
          desiredApp.config(desired, group));
    }
    return edits;
  }

  /**
   * Each value of a deployed group that gets another one, by an edit or by another Plugin; the
   * descriptions of tasks have no room for many.
   */
  static List<String> values(DesiredApp desiredApp, List<DeployedComponent> deployed) {
    return deployed.stream()
        .filter(current -> desiredApp.components().containsKey(current.component()))
        .flatMap(current -> values(desiredApp, current))
        .toList();
  }

  private static Stream<String> values(DesiredApp desiredApp, DeployedComponent current) {
    var desired = desiredApp.components().get(current.component());
    var groups = common(current.spec(), desired);
    return Stream.concat(
        new PlannedImages(desiredApp.plugin(), current, desired).descriptions(groups).stream(),
        edits(desiredApp, current, desired, groups).descriptions());
  }

  /** The groups that both have. */
  static List<String> common(ComponentSpec was, ComponentSpec desired) {
    var oldGroups = ComponentSpecs.byName(was).keySet();
    return ComponentSpecs.byName(desired).keySet().stream().filter(oldGroups::contains).toList();
  }

  private static boolean hasVolumes(GroupTemplate group) {
    return !VolumeField.askedBy(group).isEmpty();
  }

  private void size(ComponentSpec component, GroupTemplate was, GroupTemplate desired) {
    var group = component.component() + "/" + desired.name();
    VolumeEdit.between(was, desired)
        .forEach(edit -> note(ChangeType.STORAGE, TaskDescriptions.storage(group, edit)));
    var oneByOne = !component.isStopped() && desiredApp.plugin().scalesOneByOne(component.type());
    TaskDescriptions.replicas(group, was, desired, oneByOne)
        .ifPresent(description -> note(ChangeType.RESOURCES, description));
    if (!SpecEquality.same(was.resources(), desired.resources())) {
      note(ChangeType.RESOURCES, "resources of " + group);
    }
    if (!SpecEquality.same(was.affinity(), desired.affinity())) {
      note(ChangeType.RESOURCES, "affinity of " + group);
    }
    TaskDescriptions.pods(group, was.pods(), desired.pods(), component.isStopped())
        .ifPresent(description -> note(ChangeType.RESOURCES, description));
  }

  /**
   * An unfinished removal may have deleted objects that are desired again, so they are provisioned.
   * An unfinished stop or start is planned as the one that leads to the desired state.
   */
  private void unfinished(DeployedComponent current, ComponentSpec desired) {
    var begun = current.unfinished();
    begun.stream()
        .filter(changes::containsKey)
        .forEach(type -> sayUnfinished(type, changes.get(type)));
    begun.stream()
        .map(type -> STATE_CHANGES.contains(type) ? stateChange(desired) : type)
        .forEach(type -> finish(type, current.component()));
    if (begun.contains(ChangeType.REMOVE)) {
      finish(ChangeType.PROVISION, current.component());
    }
  }

  /** The task reaches also what the earlier one has not reached, whatever else it does. */
  private static void sayUnfinished(ChangeType type, List<String> descriptions) {
    if (descriptions.stream().noneMatch(it -> it.contains("unfinished " + type.label()))) {
      descriptions.add("an earlier %s is unfinished".formatted(type.label()));
    }
  }

  private void finish(ChangeType type, String component) {
    if (!changes.containsKey(type)) {
      note(type, "complete the unfinished %s of %s".formatted(type.label(), component));
    }
  }

  private void note(ChangeType type, String description) {
    changes.computeIfAbsent(type, none -> new ArrayList<>()).add(description);
  }
}
