package io.middleware.engine.planning.app;

import io.middleware.engine.api.ComponentSpec;
import java.util.List;
import java.util.Optional;

/**
 * The deployed state of an App.
 *
 * @param pods of the App; empty where neither a first deployment nor new storage asks for them
 */
public record ObservedApp(
    List<DeployedComponent> components,
    List<ExistingVolumeClaim> volumeClaims,
    List<ExistingPod> pods) {
  public ObservedApp {
    components = List.copyOf(components);
    volumeClaims = List.copyOf(volumeClaims);
    pods = List.copyOf(pods);
  }

  /**
   * Whether what is deployed is only what was asked for: its first deployment has never finished,
   * and none of its pods serves. Then nothing is immutable yet.
   */
  public boolean hasNeverRun(DeployedComponent component) {
    return !component.everFinished()
        && pods.stream()
            .filter(pod -> component.component().equals(pod.component()))
            .noneMatch(ExistingPod::ready);
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
                                .restoredFrom(
                                    deployed.spec().restoreFrom() == null
                                        ? null
                                        : spec.restoreFrom()))
                    .orElse(spec))
        .toList();
  }

  /** The specs of its components. */
  public List<ComponentSpec> specs() {
    return components.stream().map(DeployedComponent::spec).toList();
  }

  public Optional<DeployedComponent> component(String name) {
    return components.stream().filter(one -> one.component().equals(name)).findFirst();
  }
}
