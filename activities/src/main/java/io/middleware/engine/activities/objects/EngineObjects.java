package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupStatusBuilder;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Reads and writes, with the engine's own rights, Components and Groups. */
public final class EngineObjects {
  /** The field manager of everything that a change writes. */
  public static final String MANAGER = "middleware-engine";

  private final KubernetesClient client;
  private final LastingOwner lasting;

  /**
   * @param client with the engine's own rights
   */
  public EngineObjects(KubernetesClient client) {
    this.client = client;
    this.lasting = new LastingOwner(client);
  }

  /** The Component of the task as it is now; empty when there is none. */
  public Optional<Component> component(TaskRef task) {
    var name = Labels.componentName(task.change().app(), task.component());
    return Faults.read(
        "Component " + task.change().namespace() + "/" + name,
        client.resources(Component.class).inNamespace(task.change().namespace()).withName(name));
  }

  /** The Group of this name, if it exists; its spec is null when it cannot be read. */
  public Optional<Group> group(TaskRef task, String group) {
    var name = Labels.groupName(task.change().app(), task.component(), group);
    return Faults.read(
        "Group " + task.change().namespace() + "/" + name,
        client.resources(Group.class).inNamespace(task.change().namespace()).withName(name));
  }

  /** The spec of the Group, without which a step on it cannot go on. */
  public GroupSpec spec(GroupRef ref) {
    return readable(ref).getSpec();
  }

  /** The Group with its spec, without which a step on it cannot go on. */
  public Group readable(GroupRef ref) {
    return group(ref.task(), ref.group())
        .filter(found -> found.getSpec() != null)
        .orElseThrow(
            () ->
                Faults.of(
                    FaultKind.CONFLICT,
                    "Group %s of component %s does not exist or cannot be read"
                        .formatted(ref.group(), ref.task().component())));
  }

  /** The existing Groups of the task's component. */
  public List<Group> groups(TaskRef task) {
    return Faults.list(
        "Groups of component " + task.component(),
        client
            .resources(Group.class)
            .inNamespace(task.change().namespace())
            .withLabels(
                Map.of(Labels.APP, task.change().app(), Labels.COMPONENT, task.component())));
  }

  /** The StatefulSets of the task's component and their pods, as the API server has them. */
  public List<ObservedStatefulSet> statefulSets(TaskRef task) {
    var sets =
        listed(StatefulSet.class, task).stream()
            .filter(set -> ClusterView.isOfComponent(task.component(), set))
            .toList();
    if (sets.isEmpty()) {
      return List.of();
    }
    var pods = listed(Pod.class, task).stream().map(PodState::new).toList();
    return sets.stream()
        .map(
            set ->
                new ObservedStatefulSet(
                    set, pods.stream().filter(pod -> pod.isControlledBy(set)).toList()))
        .toList();
  }

  private <T extends HasMetadata> List<T> listed(Class<T> kind, TaskRef task) {
    return Faults.list(
        "the %ss of component %s".formatted(kind.getSimpleName(), task.component()),
        client
            .resources(kind)
            .inNamespace(task.change().namespace())
            .withLabels(Map.of(Labels.APP, task.change().app())));
  }

  /**
   * Applies the Group onto the state that was read, so that no step that has stalled overwrites it.
   *
   * @param seen empty creates it
   * @param fence checks the run lock again when the Group has changed
   */
  public Group apply(Group group, Optional<Group> seen, boolean force, Runnable fence) {
    return new OntoObserved<>(name(group), seen, () -> now(group), fence)
        .write(
            "apply",
            now -> {
              OntoObserved.require(group, now);
              return patched(group, force);
            });
  }

  private Optional<Group> now(Group group) {
    return Faults.read(name(group), client.resource(group));
  }

  /**
   * Applies the Component onto the version that was read.
   *
   * @param seen empty creates it
   * @return whether it is written; false when the object has changed since: read it again
   */
  boolean applyOnto(Component component, Optional<Component> seen, boolean force) {
    OntoObserved.require(component, seen);
    return Faults.unlessStale("apply " + name(component), () -> patched(component, force))
        .isPresent();
  }

  /** The Operation that the task belongs to; empty when it is gone or cannot be read. */
  public Optional<Operation> operation(TaskRef task) {
    return new Operations(client).find(task.change()).filter(found -> found.getSpec() != null);
  }

  /**
   * Applies an App's Component onto the version that was read.
   *
   * @param seen empty creates it
   * @return whether it is written; false when the object has changed since: read it again
   */
  public boolean applyComponent(
      App app, Optional<Component> seen, ComponentSpec spec, Map<String, String> annotations) {
    var labels = new TreeMap<String, String>();
    labels.put(Labels.APP, spec.app());
    labels.put(Labels.APP_UID, app.getMetadata().getUid());
    labels.put(Labels.COMPONENT, spec.component());
    labels.put(Labels.PLUGIN, Labels.pluginName(spec.plugin().name(), spec.plugin().version()));
    var component = new Component();
    component.setMetadata(owned(app, Labels.componentName(spec.app(), spec.component()), labels));
    component
        .getMetadata()
        .setOwnerReferences(List.of(OwnerReferences.controlledBy(app), lasting.reference()));
    component.getMetadata().setAnnotations(annotations);
    component.setSpec(spec);
    return applyOnto(component, seen, app.forcesConflicts());
  }

  private <T extends HasMetadata> T patched(T object, boolean force) {
    var resource = client.resource(object).fieldManager(MANAGER);
    return force ? resource.forceConflicts().serverSideApply() : resource.serverSideApply();
  }

  /** Writes the inventory to the Group's status. */
  public void writeInventory(Group group, List<InventoryItem> inventory) {
    var bare = new Group();
    bare.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(group.getMetadata().getNamespace())
            .withName(group.getMetadata().getName())
            .withUid(group.getMetadata().getUid())
            .build());
    bare.setStatus(GroupStatusBuilder.builder().inventory(inventory).build());
    var asOurs =
        new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(MANAGER)
            .build();
    Faults.attempt(
        "apply status of " + name(group),
        () -> client.resource(bare).subresource("status").patch(asOurs));
  }

  /**
   * Writes one annotation of the Group.
   *
   * @param value null removes it
   */
  void annotate(Group group, String key, String value) {
    Faults.attempt("annotate " + name(group), () -> annotated(group, Map.of(), key, value));
  }

  /**
   * Writes one annotation onto the state of the Group that was read, as {@link #apply} does, and
   * onto what the annotation said: it may be what decided the value.
   */
  void annotate(Group seen, String key, String value, Runnable fence) {
    var was = annotation(seen, key);
    Supplier<Optional<Group>> reader =
        () -> now(seen).filter(now -> annotation(now, key).equals(was));
    new OntoObserved<>(name(seen), Optional.of(seen), reader, fence)
        .write(
            "annotate",
            now -> {
              var version = now.orElse(seen).getMetadata().getResourceVersion();
              return annotated(seen, Map.of("resourceVersion", version), key, value);
            });
  }

  private static Optional<String> annotation(Group group, String key) {
    return Optional.ofNullable(group.getMetadata().getAnnotations()).map(all -> all.get(key));
  }

  private Group annotated(Group group, Map<String, String> precondition, String key, String value) {
    var metadata = new HashMap<String, Object>(precondition);
    metadata.put("uid", group.getMetadata().getUid());
    metadata.put("annotations", Collections.singletonMap(key, value));
    var patch = Serialization.asJson(Map.of("metadata", metadata));
    return client.resource(group).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  /** Deletes the Group as it was read, apart from its status; it may already be gone. */
  public void delete(Group group, Runnable fence) {
    new OntoObserved<>(name(group), Optional.of(group), () -> now(group), fence)
        .write(
            "delete",
            now -> {
              now.ifPresent(this::deleteAsSeen);
              return now;
            });
  }

  /**
   * Deletes the Component as it was read; it may already be gone.
   *
   * @return false when it has changed since: read it again
   */
  public boolean deleteOnto(Component component) {
    return Faults.unlessStale("delete " + name(component), () -> deleteAsSeen(component))
        .isPresent();
  }

  private List<StatusDetails> deleteAsSeen(HasMetadata object) {
    return client.resource(object).lockResourceVersion().delete();
  }

  /** Metadata of an object with this owner. */
  public static ObjectMeta owned(HasMetadata owner, String name, Map<String, String> labels) {
    return new ObjectMetaBuilder()
        .withNamespace(owner.getMetadata().getNamespace())
        .withName(name)
        .withLabels(labels)
        .withOwnerReferences(OwnerReferences.controlledBy(owner))
        .build();
  }

  private static String name(HasMetadata object) {
    var metadata = object.getMetadata();
    return "%s %s/%s".formatted(object.getKind(), metadata.getNamespace(), metadata.getName());
  }
}
