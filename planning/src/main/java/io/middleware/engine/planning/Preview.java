package io.middleware.engine.planning;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.PlanStatus;
import io.middleware.engine.api.change.PlannedObject;
import io.middleware.engine.api.change.PlannedPod;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.FirstOf;
import io.middleware.engine.cluster.PodDefaults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.planning.ServerSideDryRun.DryRunObject;
import io.middleware.engine.process.pods.PodNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Lists the effects of a plan on objects and pods for its approval; a pure function of the objects
 * before and after.
 */
final class Preview {
  private static final String STATEFUL_SET = "StatefulSet";
  private static final int MOST_VALUES = 500;

  /** Of pods, and of objects: together less than half of what an object may have. */
  private static final int MOST = 2000;

  private static final int LONGEST_VALUE = 1000;
  private static final ObjectMapper SORTED =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private final Set<String> reloads;
  private final Set<String> unfinished;
  private final List<PlannedPod> pods = new ArrayList<>();
  private final List<PlannedObject> objects = new ArrayList<>();
  private final List<JsonNode> contents = new ArrayList<>();

  /**
   * @param reloads names of the Groups whose pods reload their configuration
   * @param unfinished the components with pods that an earlier change has not reached; those of
   *     others are left alone where they are out of date and their template does not change
   */
  Preview(Set<String> reloads, Set<String> unfinished) {
    this.unfinished = Set.copyOf(unfinished);
    this.reloads = Set.copyOf(reloads);
  }

  /**
   * Adds an object that the plan applies.
   *
   * @param made the existing pods of the object
   */
  void apply(
      DryRunObject dryRunObject, Optional<GenericKubernetesResource> before, List<PodState> made) {
    dryRunObject
        .after()
        .filter(after -> before.filter(it -> PodDefaults.areOnlyDifference(it, after)).isPresent())
        .ifPresent(
            after ->
                after.setAdditionalProperties(
                    PodDefaults.without(after.getAdditionalProperties(), before.get())));
    var kind = dryRunObject.object().kind().kind();
    var name = dryRunObject.object().name();
    contents.add(SORTED.valueToTree(dryRunObject.object().tree()));
    if (before.isEmpty()) {
      objects.add(new PlannedObject(kind, name, "Create"));
    } else if (!dryRunObject.after().map(Preview::own).equals(before.map(Preview::own))) {
      objects.add(new PlannedObject(kind, name, "Update"));
    }
    if (kind.equals(STATEFUL_SET)) {
      dryRunObject.after().ifPresent(after -> pods(before, after, made));
    }
  }

  /** Adds a PersistentVolumeClaim that the plan expands. */
  void grow(String volumeClaim) {
    objects.add(new PlannedObject("PersistentVolumeClaim", volumeClaim, "Update"));
  }

  /** Adds a PersistentVolumeClaim that the plan deletes, with its data. */
  void drop(String volumeClaim) {
    objects.add(new PlannedObject("PersistentVolumeClaim", volumeClaim, "Delete"));
  }

  /** Adds an object that the plan deletes. */
  void delete(GenericKubernetesResource before) {
    var name = before.getMetadata().getName();
    objects.add(new PlannedObject(before.getKind(), name, "Delete"));
    if (before.getKind().equals(STATEFUL_SET)) {
      add(names(before), "Delete");
    }
  }

  /**
   * Builds the status. Equal plans have equal hashes. The hash covers the rendered objects, not
   * what the server makes of them; and all pods and objects, also those that are not listed.
   *
   * @param values each value that changes, for people
   */
  PlanStatus status(long generation, List<TaskStatus> tasks, List<String> values) {
    var hashed = new StringBuilder().append(generation);
    tasks.forEach(task -> hashed.append('\n').append(task));
    pods.forEach(pod -> hashed.append('\n').append(pod));
    objects.forEach(object -> hashed.append('\n').append(object));
    values.forEach(value -> hashed.append('\n').append(value));
    contents.forEach(content -> hashed.append('\n').append(content));
    var hash = Hashing.sha256().hashString(hashed, UTF_8).toString().substring(0, 16);
    long notListed = Math.max(0, pods.size() - MOST) + Math.max(0, objects.size() - MOST);
    return new PlanStatus(
        generation,
        hash,
        tasks,
        pods.stream().limit(MOST).toList(),
        objects.stream().limit(MOST).toList(),
        values.isEmpty() ? null : shown(values),
        notListed == 0 ? null : Long.valueOf(notListed));
  }

  private static List<String> shown(List<String> values) {
    return FirstOf.within(
        values.stream().map(value -> Excerpt.within(value, LONGEST_VALUE)).toList(), MOST_VALUES);
  }

  private void pods(
      Optional<GenericKubernetesResource> before,
      GenericKubernetesResource after,
      List<PodState> made) {
    var was = before.map(Preview::names).orElseGet(List::of);
    var becomes = names(after);
    var all = !template(after).equals(before.map(Preview::template).orElse(null));
    var outdated =
        unfinished.contains(label(after, Labels.COMPONENT))
            ? outdated(before, made)
            : Set.<String>of();
    var reloaded = reloads(after);
    was.stream()
        .filter(becomes::contains)
        .forEach(
            pod -> {
              if (all || outdated.contains(pod)) {
                pods.add(new PlannedPod(pod, "Restart"));
              } else if (reloaded) {
                pods.add(new PlannedPod(pod, "Reload"));
              }
            });
    add(without(was, becomes), "Create");
    add(without(becomes, was), "Delete");
  }

  private void add(List<String> names, String action) {
    names.forEach(name -> pods.add(new PlannedPod(name, action)));
  }

  private static List<String> without(List<String> taken, List<String> all) {
    return all.stream().filter(name -> !taken.contains(name)).toList();
  }

  private boolean reloads(GenericKubernetesResource set) {
    return reloads.contains(
        Labels.groupName(
            label(set, Labels.APP), label(set, Labels.COMPONENT), label(set, Labels.GROUP)));
  }

  private static String label(GenericKubernetesResource set, String name) {
    return String.valueOf(
        Optional.ofNullable(set.getMetadata().getLabels()).orElse(Map.of()).get(name));
  }

  /** The pods that an earlier change has not replaced. */
  private static Set<String> outdated(
      Optional<GenericKubernetesResource> set, List<PodState> made) {
    var revision = set.map(now -> now.<Object>get("status", "updateRevision"));
    return made.stream()
        .filter(pod -> revision.isPresent() && !revision.get().equals(pod.revision()))
        .map(PodState::name)
        .collect(Collectors.toSet());
  }

  /** Of the pods that the set should have. */
  private static List<String> names(GenericKubernetesResource set) {
    var replicas = set.get("spec", "replicas") instanceof Number number ? number.intValue() : 1;
    var start =
        set.get("spec", "ordinals", "start") instanceof Number number ? number.intValue() : 0;
    return PodNames.of(set.getMetadata().getName(), start, replicas);
  }

  private static Object template(GenericKubernetesResource set) {
    return set.get("spec", "template");
  }

  private static Map<String, Object> own(GenericKubernetesResource object) {
    Map<String, Object> own = new TreeMap<>(object.getAdditionalProperties());
    own.remove("status");
    var metadata = object.getMetadata();
    own.put("labels", Optional.ofNullable(metadata.getLabels()).orElse(Map.of()));
    own.put("annotations", Optional.ofNullable(metadata.getAnnotations()).orElse(Map.of()));
    return own;
  }
}
