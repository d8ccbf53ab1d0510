package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentStatus;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatus;
import io.middleware.engine.api.GroupStatusBuilder;
import io.middleware.engine.api.Labels;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Computes the status updates of the Components and Groups of one App. */
final class PartStatuses {
  /** As many as a group of an App can have; templates may make more of them. */
  private static final int MOST_NODES = 1000;

  private static final ComponentStatus NO_COMPONENT_STATUS =
      new ComponentStatus(null, null, null, null, null);
  private static final GroupStatus NO_GROUP_STATUS = GroupStatusBuilder.builder().build();

  private final GroupStates groups;
  private final Set<String> unfinished;
  private final boolean changing;
  private final Instant now;

  PartStatuses(AppObservation observed, GroupStates groups, boolean changing, Instant now) {
    this.groups = groups;
    this.unfinished =
        observed.components().stream()
            .filter(PartStatuses::isUnfinished)
            .map(PartStatuses::name)
            .collect(Collectors.toSet());
    this.changing = changing;
    this.now = now;
  }

  StatusUpdate of(Component component) {
    var before = component.getStatus() == null ? NO_COMPONENT_STATUS : component.getStatus();
    var states = groups.ofComponent(name(component));
    var stopped = component.getSpec() != null && component.getSpec().isStopped();
    var readyCount = ReadyCount.sum(states.stream().map(GroupState::readyCount));
    var health =
        health(component, isUnfinished(component), stopped, before.observedGeneration(), states);
    var next = StatusUpdate.bare(component, new Component());
    next.setStatus(
        new ComponentStatus(
            health.observed(),
            health.phase(),
            readyCount.ratio(),
            states.stream().map(GroupState::health).toList(),
            health.conditions(before.conditions(), now)));
    return update(component, current(before), next, readyCount, false);
  }

  StatusUpdate of(Group group) {
    var before = group.getStatus() == null ? NO_GROUP_STATUS : group.getStatus();
    var state = groups.of(group);
    var stopped = group.getSpec() != null && group.getSpec().isStopped();
    var inTask = unfinished.contains(state.component());
    var health = health(group, inTask, stopped, before.observedGeneration(), List.of(state));
    var nodes = state.pods().stream().filter(pod -> !pod.hasFailed()).map(PodHealth::node).toList();
    var next = StatusUpdate.bare(group, new Group());
    next.setStatus(
        GroupStatusBuilder.builder()
            .observedGeneration(health.observed())
            .phase(health.phase())
            .ready(state.readyCount().ratio())
            .nodes(nodes.stream().limit(MOST_NODES).toList())
            .primary(state.primary())
            .observedSwitchover(emptyToNull(state.roles().observedSwitchover()))
            .writtenTemplate(state.objects().writtenTemplate())
            .conditions(health.conditions(before.conditions(), now))
            .notListed(nodes.size() > MOST_NODES ? Long.valueOf(nodes.size() - MOST_NODES) : null)
            .build());
    var roleless = wasReady(before) && state.pods().stream().anyMatch(PodHealth::isRoleless);
    return update(group, current(before), next, state.readyCount(), roleless);
  }

  private static String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static boolean wasReady(GroupStatus before) {
    return StatusUpdate.isReady(ReadyCondition.readyIn(before.conditions()));
  }

  private static ComponentStatus current(ComponentStatus status) {
    return new ComponentStatus(
        status.observedGeneration(),
        status.phase(),
        status.ready(),
        status.groups(),
        PartHealth.own(status.conditions()));
  }

  private static GroupStatus current(GroupStatus status) {
    return status.with().inventory(null).conditions(PartHealth.own(status.conditions())).build();
  }

  private static PartHealth health(
      HasMetadata part,
      boolean unfinished,
      boolean stopped,
      Long observedBefore,
      List<GroupState> groups) {
    return new PartHealth(
        part.getMetadata().getGeneration(),
        unfinished,
        stopped,
        observedBefore,
        ReadyCount.sum(groups.stream().map(GroupState::readyCount)),
        Stream.of(GroupObjects.problem(groups), RoleProblem.of(groups))
            .flatMap(Optional::stream)
            .toList());
  }

  private StatusUpdate update(
      HasMetadata part,
      Object current,
      CustomResource<?, ?> next,
      ReadyCount readyCount,
      boolean roleless) {
    return new StatusUpdate(
        StatusUpdate.key(part), current, next, changing, false, readyCount.isComplete(), roleless);
  }

  private static String name(Component component) {
    return GroupStates.label(component, Labels.COMPONENT);
  }

  private static boolean isUnfinished(Component component) {
    Map<String, String> annotations = component.getMetadata().getAnnotations();
    return annotations != null && annotations.containsKey(Labels.UNFINISHED);
  }
}
