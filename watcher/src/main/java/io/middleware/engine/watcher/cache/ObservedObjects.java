package io.middleware.engine.watcher.cache;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.process.objects.DriftedFields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The objects of groups, as far as the watcher reads them: that they exist, and what others have
 * written into fields that are the engine's own. Not Secrets, which the watcher may not read, and
 * not Jobs, which go when they have ended.
 */
public final class ObservedObjects {
  /** Of one object; a tool that restores objects owns all of their fields. */
  private static final int LONGEST_NOTE = 500;

  /** Those that are not read for other reasons anyway. */
  private static final List<GroupVersionKind> KINDS =
      List.of(
          new GroupVersionKind("", "v1", "ConfigMap"),
          new GroupVersionKind("", "v1", "Service"),
          new GroupVersionKind("", "v1", "ServiceAccount"),
          new GroupVersionKind("apps", "v1", "Deployment"),
          new GroupVersionKind("batch", "v1", "CronJob"),
          new GroupVersionKind("networking.k8s.io", "v1", "NetworkPolicy"),
          new GroupVersionKind("policy", "v1", "PodDisruptionBudget"));

  private static final Set<String> OTHERS =
      Set.of("apps/v1 StatefulSet", "v1 PersistentVolumeClaim");

  /** Annotation that only cached objects have. */
  private static final String FOREIGN_FIELDS = "middleware.io/foreign-fields";

  private ObservedObjects() {}

  /** The kinds that have an informer for this alone. */
  public static List<GroupVersionKind> kinds() {
    return KINDS;
  }

  /** Whether objects of this kind are watched. */
  public static boolean contain(InventoryItem item) {
    return OTHERS.contains(item.apiVersion() + " " + item.kind())
        || KINDS.stream()
            .anyMatch(
                kind ->
                    kind.apiVersion().equals(item.apiVersion())
                        && kind.getKind().equals(item.kind()));
  }

  /** Reduces an object to its name, its App, and the note of what others have written. */
  public static void reduce(GenericKubernetesResource object) {
    reduceToNote(object);
    var metadata = object.getMetadata();
    object.setKind(ObjectMetaCacheTransform.shared(object.getKind()));
    object.setAdditionalProperties(Map.of());
    metadata.setCreationTimestamp(null);
    metadata.setGeneration(null);
    metadata.setFinalizers(List.of());
    var endpoint = Optional.ofNullable(metadata.getAnnotations().get(Labels.ENDPOINT));
    var connection = Optional.ofNullable(metadata.getAnnotations().get(Labels.CONNECTION));
    if (endpoint.isEmpty()) {
      metadata.setLabels(Map.of(Labels.APP, metadata.getLabels().get(Labels.APP)));
    }
    Map<String, String> notes = new HashMap<>();
    foreignFields(object).ifPresent(text -> notes.put(FOREIGN_FIELDS, text));
    endpoint.ifPresent(text -> notes.put(Labels.ENDPOINT, text));
    connection.ifPresent(text -> notes.put(Labels.CONNECTION, text));
    metadata.setAnnotations(Map.copyOf(notes));
  }

  /** Reduces the metadata of an object, and notes what others have written. */
  static void reduceToNote(HasMetadata object) {
    if (object.getMetadata().getManagedFields().isEmpty()) {
      ObjectMetaCacheTransform.reduce(object); // it may be reduced already, and have its note
      return;
    }
    var foreign =
        DriftedFields.in(object).stream().map(DriftedFields::toString).collect(joining("; "));
    ObjectMetaCacheTransform.reduce(object);
    var annotations = new HashMap<>(object.getMetadata().getAnnotations());
    annotations.remove(FOREIGN_FIELDS);
    if (!foreign.isEmpty()) {
      annotations.put(FOREIGN_FIELDS, PlainText.clean(Excerpt.start(foreign, LONGEST_NOTE)));
    }
    object.getMetadata().setAnnotations(Map.copyOf(annotations));
  }

  /** For people: what others have written into the engine's own fields of a cached object. */
  public static Optional<String> foreignFields(HasMetadata object) {
    return Stream.ofNullable(object.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(FOREIGN_FIELDS))
        .filter(Objects::nonNull)
        .findFirst();
  }

  /** Whether an update changes anything that the watcher reads. */
  public static boolean differs(HasMetadata now, HasMetadata before) {
    return !now.getMetadata().getAnnotations().equals(before.getMetadata().getAnnotations())
        || !now.getMetadata().getUid().equals(before.getMetadata().getUid())
        || now.isMarkedForDeletion() != before.isMarkedForDeletion();
  }
}
