package io.middleware.engine.activities.plan;

import io.middleware.engine.api.ComponentSpec;
import java.util.List;
import java.util.Optional;

/** The deployed state of an App. */
record ObservedApp(List<DeployedComponent> components, List<ExistingVolumeClaim> volumeClaims) {
  ObservedApp {
    components = List.copyOf(components);
    volumeClaims = List.copyOf(volumeClaims);
  }

  /**
   * The desired Components; their groups carry the marks of the Operations that restarted them, and
   * only those that are not provisioned yet are restored.
   */
  List<ComponentSpec> keepingRestarts(DesiredApp desired) {
    return desired.components().values().stream()
        .map(
            spec ->
                component(spec.component())
                    .map(
                        deployed ->
                            spec.withRestarts(deployed.spec().restarts())
                                .restoredFrom(deployed.spec().restoreFrom()))
                    .orElse(spec))
        .toList();
  }

  Optional<DeployedComponent> component(String name) {
    return components.stream().filter(one -> one.component().equals(name)).findFirst();
  }
}
