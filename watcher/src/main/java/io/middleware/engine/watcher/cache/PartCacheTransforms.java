package io.middleware.engine.watcher.cache;

import static io.middleware.engine.watcher.cache.ObjectMetaCacheTransform.shared;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentStatus;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupStatus;
import io.middleware.engine.api.GroupStatusBuilder;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Node;
import io.middleware.engine.watcher.secrets.DeployedSecrets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Reduces cached Components and Groups to their plugin, runtime, state, replicas, objects that are
 * watched, Secrets and health.
 */
public final class PartCacheTransforms {
  private PartCacheTransforms() {}

  public static void reduce(Component component) {
    ObjectMetaCacheTransform.reduce(component);
    component.getMetadata().setCreationTimestamp(null);
    if (component.getSpec() != null) {
      component.setSpec(spec(component.getSpec()));
    }
    if (component.getStatus() != null) {
      component.setStatus(status(component.getStatus()));
    }
  }

  public static void reduce(Group group) {
    ObjectMetaCacheTransform.reduce(group);
    group.getMetadata().setCreationTimestamp(null);
    if (group.getSpec() != null) {
      group.setSpec(spec(group.getSpec()));
    }
    if (group.getStatus() != null) {
      group.setStatus(status(group.getStatus(), surplus(group)));
    }
  }

  private static ComponentSpec spec(ComponentSpec spec) {
    var runtime = ObjectMetaCacheTransform.runtime(spec.runtime());
    var plugin = ObjectMetaCacheTransform.plugin(spec.plugin());
    return new ComponentSpec(
            null,
            spec.component(),
            null,
            plugin,
            runtime,
            spec.state(),
            DeployedSecrets.valuesIn(spec),
            null,
            null,
            null)
        .restoredFrom(spec.restoreFrom());
  }

  private static GroupSpec spec(GroupSpec spec) {
    return new GroupSpec(
        null,
        null,
        null,
        null,
        ObjectMetaCacheTransform.plugin(spec.plugin()),
        null,
        spec.state(),
        spec.replicas(),
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static ComponentStatus status(ComponentStatus status) {
    return new ComponentStatus(
        status.observedGeneration(),
        shared(status.phase()),
        shared(status.ready()),
        HealthCacheTransform.groups(status.groups()),
        HealthCacheTransform.conditions(status.conditions()));
  }

  private static GroupStatus status(GroupStatus status, List<InventoryItem> surplus) {
    return GroupStatusBuilder.builder()
        .observedGeneration(status.observedGeneration())
        .phase(shared(status.phase()))
        .ready(shared(status.ready()))
        .nodes(nodes(status.nodes()))
        .inventory(watched(status.inventory(), surplus))
        .primary(shared(status.primary()))
        .observedSwitchover(shared(status.observedSwitchover()))
        .writtenTemplate(status.writtenTemplate())
        .conditions(HealthCacheTransform.conditions(status.conditions()))
        .notListed(status.notListed())
        .build();
  }

  private static List<InventoryItem> watched(
      List<InventoryItem> inventory, List<InventoryItem> surplus) {
    return inventory == null
        ? null
        : inventory.stream()
            .filter(item -> ObservedObjects.contain(item) && !surplus.contains(item))
            .map(
                item ->
                    new InventoryItem(shared(item.apiVersion()), shared(item.kind()), item.name()))
            .toList();
  }

  /** What the engine no longer renders, and deletes once no pod needs it. */
  private static List<InventoryItem> surplus(Group group) {
    var text = group.getMetadata().getAnnotations().get(Labels.SURPLUS);
    try {
      return text == null
          ? List.of()
          : Stream.ofNullable(Serialization.unmarshal(text, InventoryItem[].class))
              .flatMap(Stream::of)
              .filter(Objects::nonNull)
              .toList();
    } catch (IllegalArgumentException | KubernetesClientException e) {
      return List.of(); // somebody else has written it; the next write of the Group is right
    }
  }

  private static List<Node> nodes(List<Node> nodes) {
    return nodes == null
        ? null
        : nodes.stream()
            .map(
                node ->
                    new Node(
                        node.pod(),
                        shared(node.ip()),
                        shared(node.role()),
                        shared(node.revision()),
                        node.ready()))
            .toList();
  }
}
