package io.middleware.engine.activities.plan;

import java.util.List;
import java.util.Optional;

/** The deployed state of an App. */
record ObservedApp(List<DeployedComponent> components, List<ExistingVolumeClaim> volumeClaims) {
  ObservedApp {
    components = List.copyOf(components);
    volumeClaims = List.copyOf(volumeClaims);
  }

  Optional<DeployedComponent> component(String name) {
    return components.stream().filter(one -> one.component().equals(name)).findFirst();
  }
}
