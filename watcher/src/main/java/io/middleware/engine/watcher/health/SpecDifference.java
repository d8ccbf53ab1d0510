package io.middleware.engine.watcher.health;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Labels;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is deployed otherwise than the App's spec says, although that generation has been carried
 * out. Only the engine writes what is compared, so there is a difference only when something else
 * has, or an earlier run of the engine that came too late.
 *
 * <p>Compared are plugin, runtime, state, groups and replicas: parameters and resources can be
 * written in several ways that mean the same.
 */
record SpecDifference(App app, GroupStates groups, List<Component> components) {

  /** One difference, in plain words; empty when there is none, or another generation is awaited. */
  Optional<String> message() {
    return isCarriedOut()
        ? Stream.concat(components.stream().flatMap(this::ofComponent), ofGroups()).findFirst()
        : Optional.empty();
  }

  private boolean isCarriedOut() {
    var status = app.getStatus();
    return app.getSpec() != null
        && app.getSpec().components() != null
        && status != null
        && app.getMetadata().getGeneration().equals(status.observedGeneration());
  }

  private Stream<String> ofComponent(Component component) {
    var deployed = component.getSpec();
    if (deployed == null || component.isMarkedForDeletion()) {
      return Stream.empty();
    }
    var name = GroupStates.label(component, Labels.COMPONENT);
    var spec = app.getSpec();
    return Stream.of(
            different("plugin", name, deployed.plugin(), spec.plugin()),
            different("runtime", name, deployed.runtime(), spec.runtime()),
            unfinished(component, name))
        .flatMap(Optional::stream);
  }

  private static Optional<String> different(String field, String name, Object is, Object desired) {
    return Objects.equals(is, desired)
        ? Optional.empty()
        : Optional.of("component %s has another %s".formatted(name, field));
  }

  private static Optional<String> unfinished(Component component, String name) {
    var annotations = component.getMetadata().getAnnotations();
    return Optional.ofNullable(annotations)
        .map(all -> all.get(Labels.UNFINISHED))
        .filter(types -> !types.isEmpty())
        .map(types -> "component %s has an unfinished %s".formatted(name, types));
  }

  private Stream<String> ofGroups() {
    var desired = desiredPods();
    return groups.all().stream()
        .flatMap(
            group ->
                ofGroup(
                    group, Optional.ofNullable(desired.get(group.component() + "/" + group.name())))
                    .stream());
  }

  private static Optional<String> ofGroup(GroupState group, Optional<Integer> desired) {
    var name = "group %s of %s".formatted(group.name(), group.component());
    if (desired.isEmpty()) {
      return Optional.of(name + " is not in it");
    }
    return desired.get() == group.desired()
        ? Optional.empty()
        : Optional.of("%s has %d replicas, not %d".formatted(name, group.desired(), desired.get()));
  }

  private Map<String, Integer> desiredPods() {
    var isStopped = app.getSpec().isStopped();
    return app.getSpec().components().stream()
        .flatMap(
            component ->
                Objects.requireNonNullElse(component.groups(), List.<GroupTemplate>of()).stream()
                    .map(group -> GroupState.missing(component.name(), group, isStopped)))
        .collect(
            toMap(
                group -> group.component() + "/" + group.name(),
                GroupState::desired,
                (one, other) -> one));
  }
}
