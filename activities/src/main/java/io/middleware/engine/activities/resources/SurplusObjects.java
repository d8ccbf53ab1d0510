package io.middleware.engine.activities.resources;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.ObjectWriter;
import io.middleware.engine.activities.objects.OntoObserved;
import io.middleware.engine.activities.objects.PartOwnership;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.render.guard.RenderedObjects;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;

/**
 * The objects of a group that are no longer rendered. Pods that are not replaced yet may still use
 * them: one that restarts without its ConfigMap does not start.
 *
 * <ol>
 *   <li>The write of a Group records them on it, and keeps them in its inventory. So does each
 *       later write, whatever became of the task.
 *   <li>When all groups of a task have converged, those that no pod names are deleted.
 * </ol>
 */
final class SurplusObjects {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What acts on the pods of a group. Two of them for the same pods contradict each other. */
  private static final List<String> ACTING =
      List.of(
          "PodDisruptionBudget",
          "HorizontalPodAutoscaler",
          "VerticalPodAutoscaler",
          "ScaledObject");

  private final StepApps apps;
  private final EngineObjects engine;
  private final GroupWriter groups;
  private final KubernetesClient client;

  /**
   * @param client with the engine's own rights, to read pods
   */
  SurplusObjects(StepApps apps, EngineObjects engine, GroupWriter groups, KubernetesClient client) {
    this.apps = apps;
    this.engine = engine;
    this.groups = groups;
    this.client = client;
  }

  /** Whether an object waits until pods are replaced, once it is no longer rendered. */
  static boolean waits(InventoryItem item) {
    return !ObjectWriter.isVolume(item.kind())
        && !GroupWriter.isWorkload(item)
        && !ACTING.contains(item.kind());
  }

  /**
   * Records on a desired Group what it no longer renders.
   *
   * @param inventory of the existing one
   */
  static void record(Group desired, Collection<InventoryItem> inventory, RenderedObjects rendered) {
    var kept = rendered.inOrder().stream().map(GroupWriter::item).toList();
    var surplus = inventory.stream().filter(item -> waits(item) && !kept.contains(item)).toList();
    if (!surplus.isEmpty()) {
      var annotations = new TreeMap<>(desired.getMetadata().getAnnotations());
      annotations.put(Labels.SURPLUS, json(surplus));
      desired.getMetadata().setAnnotations(annotations);
    }
  }

  /** Deletes those of the groups that the task has written, unless a pod needs them. */
  void prune(TaskRef task) {
    writtenBy(task, engine).stream()
        .filter(group -> !recorded(group).isEmpty())
        .forEach(group -> prune(task, group));
  }

  /** The Groups that the task has written. */
  static List<Group> writtenBy(TaskRef task, EngineObjects engine) {
    return engine.groups(task).stream()
        .filter(group -> group.getSpec() != null)
        .filter(group -> OntoObserved.writtenBy(task).equals(OntoObserved.writtenBy(group)))
        .filter(group -> PartOwnership.isOf(new GroupRef(task, group.getSpec().group()), group))
        .toList();
  }

  private void prune(TaskRef task, Group group) {
    var remaining = new LinkedHashSet<>(GroupWriter.inventory(group));
    var needed = needed(group);
    var surplus =
        recorded(group).stream()
            .filter(item -> remaining.contains(item) && !needed.have(item))
            .toList();
    if (!surplus.isEmpty()) {
      var change = task.change();
      var found = apps.read(change, app -> groups.find(app, group, surplus));
      var app = apps.withSpec(change, apps.check(change));
      groups.remove(app, found, () -> apps.check(change));
      surplus.forEach(remaining::remove);
      engine.writeInventory(group, List.copyOf(remaining));
    }
  }

  private PodReferences needed(Group group) {
    var spec = group.getSpec();
    return PodReferences.of(
        Faults.list(
            "pods of Group " + group.getMetadata().getName(),
            client
                .resources(Pod.class)
                .inNamespace(group.getMetadata().getNamespace())
                .withLabels(Labels.selector(spec.app(), spec.component(), spec.group()))));
  }

  /** What cannot be read is recorded again by the next write. */
  private static List<InventoryItem> recorded(Group group) {
    var annotations = group.getMetadata().getAnnotations();
    var text = annotations == null ? null : annotations.get(Labels.SURPLUS);
    try {
      return text == null ? List.of() : JSON.readValue(text, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      return List.of();
    }
  }

  private static String json(List<InventoryItem> items) {
    try {
      return JSON.writeValueAsString(items);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an inventory cannot be written as JSON", e);
    }
  }
}
