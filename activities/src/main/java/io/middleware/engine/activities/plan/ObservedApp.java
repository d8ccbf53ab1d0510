package io.middleware.engine.activities.plan;

import java.util.List;
import java.util.Optional;

/** What is there of an App. */
record ObservedApp(List<DeployedComponent> components, List<ExistingClaim> claims) {
  ObservedApp {
    components = List.copyOf(components);
    claims = List.copyOf(claims);
  }

  Optional<DeployedComponent> component(String name) {
    return components.stream().filter(one -> one.component().equals(name)).findFirst();
  }
}
