package io.middleware.engine.activities.rotation;

import io.middleware.engine.planning.operation.RotatedValues;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The secrets that are rotated with a component.
 *
 * @param own those, as the component uses them
 * @param groups all groups of the App that use them
 */
record SecretsOfComponent(RotatedValues own, List<UsingGroup> groups) {
  SecretsOfComponent {
    groups = List.copyOf(groups);
  }

  /** The names of all components that use them. */
  Set<String> components() {
    return groups.stream().map(UsingGroup::component).collect(Collectors.toSet());
  }

  /** The names of all Secrets. */
  Set<String> names() {
    return own.uses().stream().map(use -> use.secret().name()).collect(Collectors.toSet());
  }
}
