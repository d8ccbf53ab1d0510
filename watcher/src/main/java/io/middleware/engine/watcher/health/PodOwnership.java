package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which group a pod belongs to. Labels are not enough: the pods of a group are those that its
 * workloads created, by the names in the Group's inventory. Until the inventory is written, labels
 * decide.
 */
final class PodOwnership {
  private static final Set<String> WORKLOADS = Set.of("StatefulSet", "Deployment");
  private static final String TEMPLATE = "pod-template-hash";

  private PodOwnership() {}

  static boolean isOf(Group group, Pod pod) {
    var controller = pod.getMetadata().getOwnerReferences().stream().findFirst();
    if (controller.filter(owner -> owner.getKind().equals("Job")).isPresent()) {
      return false;
    }
    var workloads = workloads(group);
    return workloads.isEmpty()
        || workloads.stream().anyMatch(workload -> isCreatedBy(workload, pod, controller));
  }

  private static boolean isCreatedBy(
      InventoryItem workload, Pod pod, Optional<OwnerReference> controller) {
    if (controller.isEmpty()) { // the StatefulSet was replaced and has not adopted the pod yet
      return pod.getMetadata().getName().startsWith(workload.name() + "-");
    }
    var owner = controller.get();
    return switch (workload.kind()) {
      case "StatefulSet" -> is(owner, "StatefulSet", workload.name());
      case "Deployment" -> is(owner, "ReplicaSet", workload.name() + "-" + template(pod));
      default -> false;
    };
  }

  private static boolean is(OwnerReference owner, String kind, String name) {
    return owner.getKind().equals(kind) && owner.getName().equals(name);
  }

  private static String template(Pod pod) {
    return pod.getMetadata().getLabels().getOrDefault(TEMPLATE, "");
  }

  /** The name of the StatefulSet that was made for the group; empty when there is none. */
  static Optional<String> set(Group group) {
    return workloads(group).stream()
        .filter(workload -> workload.kind().equals("StatefulSet"))
        .map(InventoryItem::name)
        .findFirst();
  }

  private static List<InventoryItem> workloads(Group group) {
    var status = group.getStatus();
    return status == null || status.inventory() == null
        ? List.of()
        : status.inventory().stream().filter(item -> WORKLOADS.contains(item.kind())).toList();
  }
}
