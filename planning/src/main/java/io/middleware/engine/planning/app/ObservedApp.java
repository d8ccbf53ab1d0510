package io.middleware.engine.planning.app;

import io.middleware.engine.api.ComponentSpec;
import java.util.List;
import java.util.Optional;

/** The deployed state of an App. */
public record ObservedApp(
    List<DeployedComponent> components, List<ExistingVolumeClaim> volumeClaims) {
  public ObservedApp {
    components = List.copyOf(components);
    volumeClaims = List.copyOf(volumeClaims);
  }

  /**
   * The desired Components; their groups carry the marks of the Operations that restarted them, and
   * only those that are not provisioned yet are restored.
   */
  public List<ComponentSpec> keepingRestarts(DesiredApp desired) {
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

  public Optional<DeployedComponent> component(String name) {
    return components.stream().filter(one -> one.component().equals(name)).findFirst();
  }
}
