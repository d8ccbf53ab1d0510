package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.activities.objects.ObjectWriter;
import io.middleware.engine.activities.objects.OntoObserved;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.ReplacedObjects;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Refuses a write after which a workload that has pods or volume claims would be pruned. A plan
 * refuses it first; this holds for plans of earlier engines, and for whatever changes after a plan.
 *
 * @param objects finds what is no longer rendered
 */
record PrunedWorkloads(ObjectWriter objects) {

  /**
   * @param group as the task writes it
   * @param surplus what the write would prune
   * @param missing what it would create
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID, before anything is written
   */
  void require(
      App app, Group group, Set<InventoryItem> surplus, Collection<InventoryItem> missing) {
    var replaces = missing.stream().anyMatch(ReplacedObjects::makesPods);
    surplus.stream()
        .filter(
            item ->
                ReplacedObjects.hasIdentity(item) || ReplacedObjects.makesPods(item) && replaces)
        .flatMap(item -> objects.findOwned(app, group, item).stream())
        .filter(object -> !isUndone(group, object) && holdsSomething(object))
        .findFirst()
        .ifPresent(
            object -> {
              throw Faults.of(
                  FaultKind.INVALID,
                  "%s %s has pods or volume claims, and group %s is no longer to have it: nothing is written; %s"
                      .formatted(
                          object.getKind(),
                          object.getMetadata().getName(),
                          group.getMetadata().getName(),
                          ReplacedObjects.WAY_OUT));
            });
  }

  /** Whether the task that is rolled back has written it. */
  private static boolean isUndone(Group group, HasMetadata object) {
    var rollback = OntoObserved.writtenBy(group);
    return rollback != null
        && rollback.equals(OntoObserved.writtenBy(object) + OntoObserved.ROLLBACK);
  }

  private static boolean holdsSomething(GenericKubernetesResource object) {
    return object.get("spec", "volumeClaimTemplates") instanceof List<?> claims && !claims.isEmpty()
        || !Objects.equals(object.get("spec", "replicas"), 0)
        || object.get("status", "replicas") instanceof Integer pods && pods > 0;
  }
}
