package io.middleware.engine.planning;

import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.planning.app.ComponentSpecs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** How much a task of the component has to do; decides which workflow does it. */
record ComponentSize(int pods, int groups) {
  /** A task of more pods has a workflow for each group, as a history must not grow without end. */
  private static final int MOST_INLINE = 50;

  static ComponentSize of(ComponentSpec component) {
    return new ComponentSize(
        ComponentSpecs.pods(component), ComponentSpecs.byName(component).size());
  }

  /** By component; empty where the spec cannot be read. */
  static Map<String, Optional<ComponentSize>> byName(List<Component> components) {
    return components.stream()
        .collect(
            Collectors.toMap(
                component -> component.getMetadata().getLabels().get(Labels.COMPONENT),
                component -> Optional.ofNullable(component.getSpec()).map(ComponentSize::of)));
  }

  /** The larger of each, before a change and after it. */
  ComponentSize and(ComponentSize other) {
    return new ComponentSize(Math.max(pods, other.pods), Math.max(groups, other.groups));
  }

  boolean isSmall() {
    return pods <= MOST_INLINE;
  }

  boolean isOneSmallGroup() {
    return isSmall() && groups == 1;
  }
}
