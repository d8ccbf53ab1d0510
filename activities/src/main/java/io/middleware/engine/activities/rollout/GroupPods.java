package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.process.pods.PodNames;
import java.util.Optional;
import java.util.Set;

/**
 * Which pods belong to a group that is being removed: those that its workloads have created. Labels
 * are not enough, as anybody can set them. A workload is deleted before its pods, so its name in
 * the inventory decides, and not its uid.
 */
final class GroupPods {
  private final Set<InventoryItem> inventory;

  /**
   * @param inventory of the Group; empty when it is unknown: then any controller counts
   */
  GroupPods(Set<InventoryItem> inventory) {
    this.inventory = inventory;
  }

  boolean contain(PodState pod) {
    var controller = pod.controller();
    if (controller.isEmpty() && !pod.isOrphan()) {
      return false;
    }
    return inventory.isEmpty() || inventory.stream().anyMatch(it -> made(it, pod, controller));
  }

  private static boolean made(
      InventoryItem item, PodState pod, Optional<OwnerReference> controller) {
    if (controller.isEmpty()) {
      return item.kind().equals("StatefulSet") && PodNames.isNumbered(item.name(), pod.name());
    }
    var owner = controller.get();
    return switch (item.kind()) {
      case "Deployment" -> isChild(owner, "ReplicaSet", item);
      case "CronJob" -> isChild(owner, "Job", item);
      default -> owner.getKind().equals(item.kind()) && owner.getName().equals(item.name());
    };
  }

  /** The controllers name what they create after their own object, with a suffix. */
  private static boolean isChild(OwnerReference owner, String kind, InventoryItem item) {
    return owner.getKind().equals(kind) && owner.getName().startsWith(item.name() + "-");
  }
}
