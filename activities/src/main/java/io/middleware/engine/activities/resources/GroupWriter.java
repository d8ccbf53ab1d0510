package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.activities.render.guard.RenderedObject;
import io.middleware.engine.activities.render.guard.RenderedObjects;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Brings the objects of one group to what was rendered. The inventory in the Group's status always
 * names at least what exists: it grows before the first write and shrinks after the last delete.
 */
final class GroupWriter {
  private static final String STATEFUL_SET = "StatefulSet";
  private static final List<String> WORKLOADS = List.of(STATEFUL_SET, "Deployment");

  private final EngineObjects engine;
  private final ObjectWriter objects;
  private final StatefulSetWriter sets;

  GroupWriter(EngineObjects engine, ObjectWriter objects, StatefulSetWriter sets) {
    this.engine = engine;
    this.objects = objects;
    this.sets = sets;
  }

  /**
   * Before anything is written: that nobody else's object is in the way, nor has taken the place of
   * one of the group's.
   *
   * @param group as the API server has it, or as it will be made
   * @return what is there of it
   */
  Map<InventoryItem, GenericKubernetesResource> check(
      App app, Group group, RenderedObjects rendered) {
    Map<InventoryItem, GenericKubernetesResource> live = new HashMap<>();
    rendered.inOrder().stream()
        .map(GroupWriter::item)
        .forEach(
            item -> objects.checkFree(app, group, item).ifPresent(found -> live.put(item, found)));
    return live;
  }

  /**
   * @param group as the API server has it
   * @param live as {@link #check} has found it
   * @param mayGrow whether the sizes of volumes are this task's to write
   */
  Optional<AppliedStatefulSet> write(
      App app,
      Group group,
      RenderedObjects rendered,
      Map<InventoryItem, GenericKubernetesResource> live,
      boolean mayGrow) {
    var before = inventory(group);
    var wanted = new LinkedHashSet<>(rendered.inOrder().stream().map(GroupWriter::item).toList());
    var all = new LinkedHashSet<>(wanted);
    all.addAll(before);
    if (!all.equals(before) || !isKept(group)) {
      engine.keep(group, List.copyOf(all));
    }
    var applied = Optional.<AppliedStatefulSet>empty();
    for (RenderedObject object : rendered.inOrder()) {
      if (object.kind().kind().equals(STATEFUL_SET)) {
        var found = Optional.ofNullable(live.get(item(object)));
        applied = Optional.of(statefulSet(sets.write(app, group, object, found, mayGrow)));
      } else {
        objects.apply(app, group, object);
      }
    }
    prune(app, group, all, wanted);
    return applied;
  }

  /** Whether a StatefulSet of the group is gone, or about to go. */
  boolean lacksStatefulSet(App app, Group group) {
    return inventory(group).stream()
        .filter(item -> item.kind().equals(STATEFUL_SET))
        .anyMatch(item -> objects.isGoing(app, item));
  }

  /** Deletes what makes pods first, then the rest; the Group itself and its inventory stay. */
  void remove(App app, Group group) {
    var inventory = List.copyOf(inventory(group));
    inventory.stream()
        .filter(GroupWriter::isWorkload)
        .forEach(item -> objects.delete(app, group, item));
    inventory.stream()
        .filter(item -> !isWorkload(item) && !ObjectWriter.isVolume(item.kind()))
        .forEach(item -> objects.delete(app, group, item));
  }

  /** Tells what a removal by force leaves behind of the group; its pods are not told here. */
  void tellWhatIsHeld(App app, Group group) {
    inventory(group).stream()
        .filter(item -> !ObjectWriter.isVolume(item.kind()))
        .forEach(item -> objects.tellIfHeld(app, group, item));
  }

  private void prune(App app, Group group, Set<InventoryItem> all, Set<InventoryItem> wanted) {
    var left = new LinkedHashSet<>(all);
    for (InventoryItem item : all) {
      if (!wanted.contains(item) && !ObjectWriter.isVolume(item.kind())) {
        objects.delete(app, group, item);
        left.remove(item);
      }
    }
    if (!left.equals(all)) {
      engine.keep(group, List.copyOf(left));
    }
  }

  private static AppliedStatefulSet statefulSet(GenericKubernetesResource written) {
    var metadata = written.getMetadata();
    return new AppliedStatefulSet(metadata.getName(), metadata.getGeneration(), metadata.getUid());
  }

  static boolean isKept(Group group) {
    return group.getStatus() != null && group.getStatus().inventory() != null;
  }

  private static Set<InventoryItem> inventory(Group group) {
    return isKept(group) ? new LinkedHashSet<>(group.getStatus().inventory()) : Set.of();
  }

  private static InventoryItem item(RenderedObject object) {
    return new InventoryItem(object.kind().apiVersion(), object.kind().kind(), object.name());
  }

  private static boolean isWorkload(InventoryItem item) {
    return WORKLOADS.contains(item.kind());
  }
}
