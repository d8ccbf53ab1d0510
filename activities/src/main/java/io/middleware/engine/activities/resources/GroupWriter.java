package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.JobWriter;
import io.middleware.engine.activities.objects.KeptPodDefaults;
import io.middleware.engine.activities.objects.ObjectWriter;
import io.middleware.engine.activities.objects.ObservedObject;
import io.middleware.engine.activities.objects.ReclaimedFields;
import io.middleware.engine.activities.objects.StatefulSetWriter;
import io.middleware.engine.activities.objects.UnsetReplicas;
import io.middleware.engine.activities.resources.DesiredGroups.DesiredGroup;
import io.middleware.engine.activities.secrets.ConnectionSecret;
import io.middleware.engine.activities.secrets.MountedAccounts;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatusBuilder;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.cluster.JobTemplates;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the rendered objects of one group. Of the rest it deletes what must not act on pods
 * meanwhile; what pods may still use waits ({@link SurplusObjects}). The inventory in the Group's
 * status lists at least what exists: it grows before the first write and shrinks after the last
 * delete.
 */
final class GroupWriter {
  private static final String STATEFUL_SET = "StatefulSet";
  private static final List<String> WORKLOADS = List.of(STATEFUL_SET, "Deployment");

  private final EngineObjects engine;
  private final ObjectWriter objects;
  private final StatefulSetWriter sets;
  private final JobWriter jobs;
  private final PrunedWorkloads pruned;
  private final UnsetReplicas replicas;
  private final ReclaimedFields fields;
  private final KeptPodDefaults links;
  private final MountedAccounts accounts;

  GroupWriter(
      EngineObjects engine,
      ObjectWriter objects,
      StatefulSetWriter sets,
      KeptPodDefaults links,
      MountedAccounts accounts) {
    this.links = links;
    this.accounts = accounts;
    this.engine = engine;
    this.objects = objects;
    this.sets = sets;
    this.jobs = new JobWriter(objects);
    this.pruned = new PrunedWorkloads(objects);
    this.replicas = new UnsetReplicas(objects);
    this.fields = new ReclaimedFields(objects);
  }

  /**
   * Checks, before anything is written, that no object of another owner has the name of one of the
   * group's.
   *
   * @param group as the API server has it, or as it will be created
   * @param fence checks the run lock again when an object has changed before it is written
   * @return the group's objects as they are
   */
  ObservedObjects check(App app, Group group, RenderedObjects rendered, Runnable fence) {
    Map<InventoryItem, ObservedObject> seen = new HashMap<>();
    rendered.inOrder().stream()
        .map(GroupWriter::item)
        .forEach(item -> seen.put(item, objects.checkFree(app, group, item, fence)));
    return new ObservedObjects(seen, fence);
  }

  /** The objects of a group as a step has read them. */
  record ObservedObjects(Map<InventoryItem, ObservedObject> objects, Runnable fence) {}

  /**
   * @param group as the API server has it
   * @param found as found by {@link #check}
   */
  Optional<AppliedStatefulSet> write(
      App app, Group group, DesiredGroup wanted, ObservedObjects found) {
    var rendered = wanted.objects();
    var seen = wanted.reclaims() ? reclaimed(app, found) : found;
    var before = inventory(group);
    var desired = new LinkedHashSet<>(rendered.inOrder().stream().map(GroupWriter::item).toList());
    var all = new LinkedHashSet<>(desired);
    all.addAll(before);
    requireKept(app, group, before, seen);
    if (!all.equals(before) || !hasInventory(group)) {
      engine.writeInventory(group, List.copyOf(all));
    }
    var applied = Optional.<AppliedStatefulSet>empty();
    for (RenderedObject object : rendered.inOrder()) {
      if (ConnectionSecret.of(object).isPresent()) {
        continue; // written when the middleware accepts its password
      }
      var now = seen.objects().get(item(object));
      var written = write(app, group, object, now, wanted.mayReplace());
      if (object.kind().kind().equals(STATEFUL_SET)) {
        applied = Optional.of(statefulSet(written));
      }
    }
    prune(app, group, all, seen);
    return applied;
  }

  /** The engine alone owns what is its own as a whole in each of them from now on. */
  private ObservedObjects reclaimed(App app, ObservedObjects seen) {
    Map<InventoryItem, ObservedObject> reclaimed = new HashMap<>();
    seen.objects().forEach((item, object) -> reclaimed.put(item, fields.reclaim(app, object)));
    return new ObservedObjects(reclaimed, seen.fence());
  }

  private GenericKubernetesResource write(
      App app, Group group, RenderedObject object, ObservedObject seen, boolean mayReplace) {
    if (!UnsetReplicas.areIn(object) || !seen.isReadable()) {
      return apply(app, group, object, seen, mayReplace);
    }
    if (!group.getSpec().isStopped()) {
      return replicas.start(app, apply(app, group, object, seen, mayReplace), seen.fence());
    }
    int desired = Objects.requireNonNullElse(group.getSpec().replicas(), 1);
    var stopped = seen.object().map(now -> replicas.stop(app, now, seen.fence(), desired));
    if (stopped.isPresent()) {
      return apply(app, group, object, seen.as(stopped), mayReplace);
    }
    var created = apply(app, group, UnsetReplicas.none(object), seen, mayReplace);
    return replicas.stop(app, created, seen.fence(), desired);
  }

  private GenericKubernetesResource apply(
      App app, Group group, RenderedObject object, ObservedObject seen, boolean mayReplace) {
    var settled = links.in(app, object, seen);
    return switch (object.kind().kind()) {
      case STATEFUL_SET -> sets.write(app, group, settled, seen, mayReplace);
      case JobTemplates.KIND -> jobs.write(app, group, settled, seen);
      default -> objects.apply(app, group, accounts.in(app, settled), seen);
    };
  }

  /**
   * Restores an inventory that was wiped from the Group's status.
   *
   * @param known the Group's inventory, as far as it is known
   * @return the Group with it
   */
  Group withInventory(Group group, List<InventoryItem> known) {
    if (hasInventory(group) || known.isEmpty()) {
      return group;
    }
    engine.writeInventory(group, known);
    group.setStatus(GroupStatusBuilder.builder().inventory(known).build());
    return group;
  }

  /** Whether a StatefulSet of the group is missing or is being deleted. */
  boolean lacksStatefulSet(App app, Group group) {
    return inventory(group).stream()
        .filter(item -> item.kind().equals(STATEFUL_SET))
        .anyMatch(item -> objects.isMissingOrBeingDeleted(app, item));
  }

  /**
   * What {@link #remove} is to delete: the workloads first, then the rest; the Group itself and its
   * inventory stay.
   *
   * @param inventory of the Group
   */
  List<GenericKubernetesResource> findToRemove(
      App app, Group group, List<InventoryItem> inventory) {
    return inventory.stream()
        .filter(item -> !ObjectWriter.isVolume(item.kind()))
        .sorted(Comparator.comparing(item -> !isWorkload(item)))
        .flatMap(item -> objects.findOwned(app, group, item).stream())
        .toList();
  }

  /**
   * @param found as they are to be deleted
   * @param fence checks the run lock again when an object has changed before it is deleted
   */
  void remove(App app, List<GenericKubernetesResource> found, Runnable fence) {
    found.forEach(object -> objects.delete(app, object, fence));
  }

  /** Reports which objects of the group a forced deletion abandons, except its pods. */
  void reportHeldObjects(App app, Group group) {
    inventory(group).stream()
        .filter(item -> !ObjectWriter.isVolume(item.kind()))
        .forEach(item -> objects.reportIfHeld(app, group, item));
  }

  /** Those of these objects that exist and that the group owns. */
  List<GenericKubernetesResource> find(App app, Group group, List<InventoryItem> items) {
    return items.stream().flatMap(item -> objects.findOwned(app, group, item).stream()).toList();
  }

  /** The run lock is checked again, because the surplus objects are read only now. */
  private void prune(App app, Group group, Set<InventoryItem> all, ObservedObjects seen) {
    var surplus =
        all.stream()
            .filter(item -> !seen.objects().containsKey(item))
            .filter(item -> !ObjectWriter.isVolume(item.kind()) && !SurplusObjects.waits(item))
            .toList();
    if (surplus.isEmpty()) {
      return;
    }
    var found = find(app, group, surplus);
    seen.fence().run();
    remove(app, found, seen.fence());
    var remaining = new LinkedHashSet<>(all);
    surplus.forEach(remaining::remove);
    engine.writeInventory(group, List.copyOf(remaining));
  }

  private void requireKept(App app, Group group, Set<InventoryItem> before, ObservedObjects seen) {
    var surplus =
        before.stream()
            .filter(item -> !seen.objects().containsKey(item))
            .filter(item -> !ObjectWriter.isVolume(item.kind()))
            .collect(Collectors.toSet());
    var missing =
        seen.objects().entrySet().stream()
            .filter(one -> one.getValue().object().isEmpty())
            .map(Map.Entry::getKey)
            .toList();
    pruned.require(app, group, surplus, missing);
  }

  private static AppliedStatefulSet statefulSet(GenericKubernetesResource written) {
    var metadata = written.getMetadata();
    return new AppliedStatefulSet(metadata.getName(), metadata.getGeneration(), metadata.getUid());
  }

  static boolean hasInventory(Group group) {
    return group.getStatus() != null && group.getStatus().inventory() != null;
  }

  static Set<InventoryItem> inventory(Group group) {
    return hasInventory(group) ? new LinkedHashSet<>(group.getStatus().inventory()) : Set.of();
  }

  static InventoryItem item(RenderedObject object) {
    return new InventoryItem(object.kind().apiVersion(), object.kind().kind(), object.name());
  }

  static boolean isWorkload(InventoryItem item) {
    return WORKLOADS.contains(item.kind());
  }
}
