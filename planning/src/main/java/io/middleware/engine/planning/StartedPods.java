package io.middleware.engine.planning;

import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DeployedGroup;
import io.middleware.engine.planning.app.RenewedPods;
import java.util.List;
import java.util.Map;

/**
 * Finds groups of which no pod has started with the version that an unfinished upgrade brings.
 *
 * @param client with the engine's own rights
 */
record StartedPods(KubernetesClient client) {

  /** The same components; where nothing is being upgraded, without asking for pods. */
  List<DeployedComponent> in(App app, List<DeployedComponent> deployed) {
    if (deployed.stream().noneMatch(DeployedComponent::isBeingUpgraded)) {
      return deployed;
    }
    var sets = listed(app, StatefulSet.class);
    var pods = listed(app, Pod.class).stream().map(PodState::new).toList();
    return deployed.stream()
        .map(one -> one.isBeingUpgraded() ? one.with(groups(one, sets, pods)) : one)
        .toList();
  }

  private static Map<String, DeployedGroup> groups(
      DeployedComponent component, List<StatefulSet> sets, List<PodState> pods) {
    return component.groups().entrySet().stream()
        .collect(
            toMap(
                Map.Entry::getKey,
                group ->
                    sets.stream()
                            .filter(set -> is(set, Labels.COMPONENT, component.component()))
                            .filter(set -> is(set, Labels.GROUP, group.getKey()))
                            .anyMatch(set -> isOld(set, pods))
                        ? group.getValue().notStarted()
                        : group.getValue()));
  }

  private static boolean isOld(StatefulSet set, List<PodState> pods) {
    var own = pods.stream().filter(pod -> pod.isControlledBy(set)).toList();
    return RenewedPods.ofNewest(set, own).isEmpty();
  }

  private static boolean is(StatefulSet set, String label, String value) {
    return value.equals(set.getMetadata().getLabels().get(label));
  }

  private <T extends HasMetadata> List<T> listed(App app, Class<T> kind) {
    var metadata = app.getMetadata();
    return Faults.list(
        "the %ss of App %s".formatted(kind.getSimpleName(), metadata.getName()),
        client
            .resources(kind)
            .inNamespace(metadata.getNamespace())
            .withLabel(Labels.APP, metadata.getName()));
  }
}
