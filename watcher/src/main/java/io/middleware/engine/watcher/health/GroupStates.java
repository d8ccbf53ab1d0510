package io.middleware.engine.watcher.health;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.api.App;
import io.middleware.engine.api.ComponentHealth;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.process.pods.PodReports;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All groups of an App with their pods. */
record GroupStates(List<GroupState> all) {
  private static final Comparator<Pod> BY_ORDINAL =
      Comparator.<Pod>comparingInt(pod -> pod.getMetadata().getName().length())
          .thenComparing(pod -> pod.getMetadata().getName());

  private record GroupKey(String component, String group) {
    static GroupKey of(HasMetadata object) {
      return new GroupKey(label(object, Labels.COMPONENT), label(object, Labels.GROUP));
    }
  }

  static GroupStates of(AppObservation observed) {
    var pods = observed.pods().stream().sorted(BY_ORDINAL).collect(groupingBy(GroupKey::of));
    var sets =
        observed.sets().stream()
            .filter(set -> !set.isMarkedForDeletion())
            .collect(groupingBy(GroupKey::of));
    var states = new ArrayList<GroupState>();
    for (Group group : observed.groups()) {
      var key = GroupKey.of(group);
      var own =
          new FoundPods(
              pods.getOrDefault(key, List.of()),
              sets.getOrDefault(key, List.of()),
              observed.isChanging());
      var objects =
          GroupObjects.of(
              group,
              own.sets(),
              observed.objects(),
              observed.isChanging(),
              observed.isUnfinished(key.component()));
      states.add(state(group, own, observed.roles(), observed.reports(), objects));
    }
    missing(observed.app()).filter(state -> !contains(states, state)).forEach(states::add);
    states.sort(Comparator.comparing(GroupState::component).thenComparing(GroupState::name));
    return new GroupStates(List.copyOf(states));
  }

  GroupState of(Group group) {
    var key = GroupKey.of(group);
    return all.stream()
        .filter(state -> new GroupKey(state.component(), state.name()).equals(key))
        .findFirst()
        .orElseThrow();
  }

  List<GroupState> ofComponent(String component) {
    return all.stream().filter(state -> state.component().equals(component)).toList();
  }

  ReadyCount readyCount() {
    return ReadyCount.sum(all.stream().map(GroupState::readyCount));
  }

  /** Whether the desired state of all groups is to have no pods. */
  boolean areStopped() {
    return !all.isEmpty() && all.stream().allMatch(GroupState::stopped);
  }

  List<ComponentHealth> byComponent() {
    Map<String, List<GroupState>> components =
        all.stream().collect(groupingBy(GroupState::component, TreeMap::new, toList()));
    return components.entrySet().stream()
        .map(entry -> health(entry.getKey(), entry.getValue()))
        .toList();
  }

  static String label(HasMetadata object, String name) {
    var labels = object.getMetadata().getLabels();
    return labels == null ? "" : labels.getOrDefault(name, "");
  }

  static String annotation(HasMetadata object, String name) {
    var annotations = object.getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(name, "");
  }

  private static ComponentHealth health(String name, List<GroupState> groups) {
    return new ComponentHealth(
        name,
        ReadyCount.sum(groups.stream().map(GroupState::readyCount)).ratio(),
        groups.stream().map(GroupState::health).toList());
  }

  /** What carries the labels of one group. */
  private record FoundPods(List<Pod> pods, List<StatefulSet> sets, boolean changing) {

    /** A pod that has left its StatefulSet is no node; while it is replaced, it will adopt it. */
    boolean belongs(Group group, PodHealth pod) {
      return !pod.isOrphan() || changing || sets.isEmpty() && PodOwnership.set(group).isEmpty();
    }

    DesiredPods desired(Group group, PodReports reports) {
      var count = GroupState.desired(group.getSpec());
      return PodOwnership.set(group)
          .filter(set -> sets.isEmpty() && !changing)
          .map(set -> DesiredPods.lost(count, set))
          .orElseGet(() -> DesiredPods.of(count, sets, reports));
    }
  }

  private static GroupState state(
      Group group, FoundPods found, KnownRoles roles, PodReports reports, GroupObjects objects) {
    var key = GroupKey.of(group);
    return new GroupState(
        key.component(),
        key.group(),
        found.desired(group, reports),
        group.getSpec() != null && group.getSpec().isStopped(),
        found.pods().stream()
            .map(
                pod ->
                    new PodHealth(
                        pod, roles.byPod().get(pod.getMetadata().getUid()), reports.of(pod)))
            .filter(pod -> pod.isNodeOf(group) && found.belongs(group, pod))
            .toList(),
        roles.of(group.getMetadata().getUid()),
        objects);
  }

  /** The groups of the App's spec, if that generation is, or is being, carried out. */
  private static Stream<GroupState> missing(App app) {
    if (!isCarriedOut(app) || app.getSpec().components() == null) {
      return Stream.empty();
    }
    var stopped = app.getSpec().isStopped();
    return app.getSpec().components().stream()
        .flatMap(
            component ->
                component.groups().stream()
                    .map(group -> GroupState.missing(component.name(), group, stopped)));
  }

  private static boolean isCarriedOut(App app) {
    if (app.getSpec() == null || app.isMarkedForDeletion()) {
      return false;
    }
    var change = app.getStatus() == null ? null : app.getStatus().change();
    return change == null
        || (app.getMetadata().getGeneration().equals(change.generation())
            && !ChangeOutcome.REJECTED.label().equals(change.outcome()));
  }

  private static boolean contains(List<GroupState> states, GroupState state) {
    return states.stream()
        .anyMatch(
            known ->
                known.component().equals(state.component()) && known.name().equals(state.name()));
  }
}
