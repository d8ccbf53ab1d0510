package io.middleware.engine.activities.objects;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.PlannedReloads.RenderedFrom;
import io.middleware.engine.workflows.port.TaskRef;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The state of a Component and its Groups before a task. It is kept in an annotation of the
 * Component from the write that begins the task until the write that ends it. A rollback restores
 * the Groups that the task has changed, each to its own earlier spec, and leaves the others alone.
 *
 * @param task its id
 * @param unfinished labels of the change types that were unfinished before the task
 * @param spec the Component's spec; null when it was too large to keep
 * @param groups by name, the specs of Groups that differed from the Component's spec, because an
 *     earlier change had not reached them
 * @param workloads by group, the state of its StatefulSet; missing if the view was behind
 * @param changed the groups that the task had changed when its rollback began, for a repeat that
 *     finds them restored already; empty before
 * @param edited the groups whose Plugin was edited since they were rendered, under the same version
 */
public record Undo(
    String task,
    SortedSet<String> unfinished,
    ComponentSpec spec,
    Map<String, GroupSpec> groups,
    Map<String, Workload> workloads,
    SortedSet<String> changed,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) SortedSet<String> edited) {
  /** Kubernetes limits all annotations of an object together to 256 KiB. */
  static final int MOST_BYTES = 200 * 1024;

  private static final String IRREVERSIBLE =
      "an earlier change was left half-way, and this task has replaced pods that it had not reached;"
          + " a StatefulSet cannot create them again as they were: %s. All pods stay as they are:"
          + " edit the App to the state that all pods are to have, or retry the change";

  private static final ObjectMapper JSON = new ObjectMapper();

  public Undo {
    unfinished = new TreeSet<>(unfinished);
    groups = groups == null ? Map.of() : new TreeMap<>(groups);
    workloads = workloads == null ? Map.of() : new TreeMap<>(workloads);
    changed = changed == null ? new TreeSet<>() : new TreeSet<>(changed);
    edited = edited == null ? new TreeSet<>() : new TreeSet<>(edited);
  }

  /**
   * @param revision that its pods should have
   * @param replicas how many pods it should have
   * @param pods by name, the revisions of the pods that had another one, because an earlier change
   *     had not reached them
   * @param serviceLinks whether its pods got variables of Services; null when not
   * @param lastLines whether its template asked for last lines itself; null when not
   */
  public record Workload(
      String revision,
      int replicas,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> pods,
      @JsonInclude(JsonInclude.Include.NON_NULL) Boolean serviceLinks,
      @JsonInclude(JsonInclude.Include.NON_NULL) Boolean lastLines) {
    public Workload {
      pods = pods == null ? Map.of() : new TreeMap<>(pods);
    }

    public Workload(String revision, int replicas) {
      this(revision, replicas, Map.of(), null, null);
    }

    /** The pod's own revision, or the one that it was about to get. */
    public String revisionOf(String pod) {
      return pods.getOrDefault(pod, revision);
    }

    private static Workload of(ObservedStatefulSet observed) {
      var set = observed.set();
      var revision = Rollout.revision(set);
      var others =
          Rollout.outdated(set, observed.pods()).stream()
              .filter(pod -> !pod.isTerminating())
              .collect(toMap(PodState::name, PodState::revision));
      return new Workload(
          revision,
          Rollout.replicas(set),
          others,
          where(set, pod -> Boolean.TRUE.equals(pod.getEnableServiceLinks())),
          where(set, pod -> !pod.getContainers().isEmpty()));
    }

    private static Boolean where(StatefulSet set, Predicate<PodSpec> has) {
      return Optional.ofNullable(set.getSpec().getTemplate())
          .map(PodTemplateSpec::getSpec)
          .map(has::test)
          .filter(Boolean::booleanValue)
          .orElse(null);
    }
  }

  /**
   * What this task has kept on the Component; empty when it has kept nothing.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when the annotation cannot be
   *     read
   */
  public static Optional<Undo> of(TaskRef task, Component component) {
    var annotations = component.getMetadata().getAnnotations();
    var text = annotations == null ? null : annotations.get(Labels.UNDO);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(text, Undo.class))
          .filter(kept -> task.id().equals(kept.task()));
    } catch (JsonProcessingException e) {
      throw Faults.of(
          FaultKind.INVALID,
          "annotation %s of Component %s cannot be read: remove it"
              .formatted(Labels.UNDO, component.getMetadata().getName()));
    }
  }

  /**
   * The Component before the task writes anything.
   *
   * @param groups its existing Groups
   * @param sets their StatefulSets
   */
  public static Undo before(
      TaskRef task, Component component, List<Group> groups, List<ObservedStatefulSet> sets) {
    var unfinished = UnfinishedChanges.of(component).types();
    var spec = component.getSpec();
    var edited = edited(task, groups);
    var none = new Undo(task.id(), unfinished, spec, null, null, null, edited);
    var all =
        new Undo(
            task.id(), unfinished, spec, none.differing(groups), workloads(sets), null, edited);
    return all.bytes() > MOST_BYTES
        ? new Undo(task.id(), unfinished, null, null, null, null, edited)
        : all;
  }

  private static SortedSet<String> edited(TaskRef task, List<Group> groups) {
    var edited = new TreeSet<String>();
    groups.stream()
        .filter(group -> group.getSpec() != null && group.getMetadata().getAnnotations() != null)
        .filter(
            group ->
                task.pluginRevision()
                    .filter(
                        now ->
                            isEdited(
                                group.getMetadata().getAnnotations().get(Labels.PLUGIN_REVISION),
                                now))
                    .isPresent())
        .forEach(group -> edited.add(group.getSpec().group()));
    return edited;
  }

  /** The name of a revision is that of the Plugin and a hash. */
  private static boolean isEdited(String was, String now) {
    return was != null
        && !was.equals(now)
        && was.substring(0, was.lastIndexOf('-') + 1)
            .equals(now.substring(0, now.lastIndexOf('-') + 1));
  }

  /** What a group was rendered from before the task; empty when that is not known. */
  public Optional<RenderedFrom> from(GroupSpec before, PluginSpec plugin) {
    return edited.contains(before.group())
        ? Optional.empty()
        : Optional.of(new RenderedFrom(before, plugin));
  }

  private static Map<String, Workload> workloads(List<ObservedStatefulSet> sets) {
    var workloads = new TreeMap<String, Workload>();
    sets.stream()
        .filter(it -> Rollout.hasSeen(it.set(), it.set().getMetadata().getGeneration()))
        .forEach(observed -> workloads.put(observed.group(), Workload.of(observed)));
    return workloads;
  }

  /**
   * The same with the groups that the rollback is to restore.
   *
   * @param now the existing Groups; a repeat adds none that the rollback itself has restored
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when the spec was not kept
   */
  public Undo back(List<Group> now) {
    requireSpec();
    var all = new TreeSet<>(changed);
    all.addAll(differing(now).keySet());
    all.addAll(GroupMembers.moving(now));
    return new Undo(task, unfinished, spec, groups, workloads, all, edited);
  }

  /**
   * Refuses a rollback that could not bring back a pod that the task has replaced: a StatefulSet
   * makes pods of one template, and an earlier change had not brought that one to the pod. A repeat
   * that has begun is not refused.
   *
   * @param now the StatefulSets as they are
   * @throws io.temporal.failure.ApplicationFailure of kind IRREVERSIBLE
   */
  public void requireReversible(List<ObservedStatefulSet> now) {
    if (!changed.isEmpty()) {
      return;
    }
    var lost =
        now.stream()
            .flatMap(observed -> workload(observed.group()).stream().flatMap(observed::lost))
            .toList();
    Rollout.firstFew(lost)
        .ifPresent(
            pods -> {
              throw Faults.of(FaultKind.IRREVERSIBLE, IRREVERSIBLE.formatted(pods));
            });
  }

  /** The group's StatefulSet before the task; empty when unknown. */
  public Optional<Workload> workload(String group) {
    return Optional.ofNullable(workloads.get(group));
  }

  /** The group's spec before the task; empty when unknown. */
  public Optional<GroupSpec> groupSpec(String group) {
    return Optional.ofNullable(groups.get(group))
        .or(
            () ->
                Optional.ofNullable(spec)
                    .filter(kept -> ComponentSpecs.byName(kept).containsKey(group))
                    .map(kept -> ComponentSpecs.groupSpec(kept, group)));
  }

  /** By name, the Groups whose spec is not the one before the task. */
  private Map<String, GroupSpec> differing(List<Group> all) {
    var differing = new TreeMap<String, GroupSpec>();
    all.stream()
        .map(Group::getSpec)
        .filter(Objects::nonNull)
        .filter(now -> groupSpec(now.group()).filter(then -> !then.equals(now)).isPresent())
        .forEach(now -> differing.put(now.group(), now));
    return differing;
  }

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when the spec was not kept
   */
  public ComponentSpec requireSpec() {
    if (spec == null) {
      throw Faults.of(
          FaultKind.INVALID,
          "the spec before task %s was too large to keep (over %d KiB): edit the App to change it back instead"
              .formatted(task, MOST_BYTES / 1024));
    }
    return spec;
  }

  public Map<String, String> annotations() {
    return Map.of(Labels.UNDO, json());
  }

  private int bytes() {
    return json().getBytes(StandardCharsets.UTF_8).length;
  }

  private String json() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the undo of task " + task + " cannot be written as JSON", e);
    }
  }
}
