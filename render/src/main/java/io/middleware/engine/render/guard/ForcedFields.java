package io.middleware.engine.render.guard;

import io.middleware.engine.api.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Sets the fields that the engine relies on, in a copy, regardless of the template. */
final class ForcedFields {
  private static final String LINKS = "enableServiceLinks";
  private static final String LAST_LINES = "terminationMessagePolicy";

  private final GuardFacts facts;

  ForcedFields(GuardFacts facts) {
    this.facts = facts;
  }

  RenderedObject in(InspectedObject object) {
    var copy = new InspectedObject(mapping(object.tree()), new ArrayList<>());
    below(copy.tree(), "metadata").put("namespace", facts.namespace());
    label(copy.root(), facts.labels().all());
    copy.metadataTemplates().forEach(template -> label(template, facts.labels().all()));
    if (copy.is(KnownKinds.STATEFUL_SET)) {
      copy.metadataTemplates().forEach(pods -> mark(pods, facts.configuration().restart()));
    }
    if (copy.is(KnownKinds.DEPLOYMENT)) {
      copy.metadataTemplates().forEach(pods -> mark(pods, facts.configuration().all()));
    }
    if (copy.is(KnownKinds.STATEFUL_SET) && copy.at("spec").value() instanceof Map<?, ?> spec) {
      open(spec).put("updateStrategy", mapping(Map.of("type", "OnDelete")));
      // volume claim templates of a StatefulSet are immutable: only constant labels
      copy.at("spec", "volumeClaimTemplates")
          .items()
          .forEach(volumeClaim -> label(volumeClaim, facts.labels().constant()));
    }
    if (KnownKinds.contain(copy.kind())) {
      copy.podSpecs().forEach(ForcedFields::setDefaults);
    }
    if (facts.grants().restricted()) {
      copy.podSpecs().forEach(RestrictedFields::fill);
    }
    return new RenderedObject(copy.kind(), copy.name(), SecretData.folded(copy.tree()));
  }

  /**
   * A kubelet gives a pod variables of each Service of its namespace. A Service that is named like
   * a setting of a container, such as {@code redis}, would overwrite it: {@code REDIS_PORT}. And
   * why a container has ended is in its last lines, which only this policy brings into the pod.
   *
   * <p>Both come together, because pods of earlier engines have neither: a template that decides on
   * one of them decides on both.
   */
  private static void setDefaults(TreeCursor pod) {
    if (pod.value() instanceof Map<?, ?> spec && !spec.containsKey(LINKS)) {
      open(spec).put(LINKS, false);
      var containers =
          Stream.of("initContainers", "containers")
              .flatMap(list -> pod.at(list).items())
              .map(TreeCursor::value)
              .filter(Map.class::isInstance)
              .map(it -> open((Map<?, ?>) it))
              .toList();
      if (containers.stream().noneMatch(it -> it.containsKey(LAST_LINES))) {
        containers.forEach(it -> it.put(LAST_LINES, "FallbackToLogsOnError"));
      }
    }
  }

  /**
   * Pods become out of date when their configuration changes, although it is in a separate object,
   * and when an Operation restarts them. For a StatefulSet only values that need a restart count,
   * because the engine reloads the others.
   */
  private void mark(TreeCursor pods, String configuration) {
    annotate(pods, Labels.CONFIGURATION, configuration);
    annotate(pods, Labels.RESTARTED_BY, facts.restartedBy());
  }

  private static void annotate(TreeCursor cursor, String annotation, String value) {
    if (!value.isEmpty() && cursor.value() instanceof Map<?, ?> owner) {
      below(below(open(owner), "metadata"), "annotations").put(annotation, value);
    }
  }

  private static void label(TreeCursor cursor, Map<String, String> labels) {
    if (cursor.value() instanceof Map<?, ?> owner) {
      below(below(open(owner), "metadata"), "labels").putAll(labels);
    }
  }

  static Map<String, Object> below(Map<String, Object> parent, String field) {
    if (!(parent.get(field) instanceof Map)) {
      parent.put(field, new LinkedHashMap<String, Object>());
    }
    return open((Map<?, ?>) parent.get(field));
  }

  @SuppressWarnings("unchecked") // the copy is made of nothing but Map<String, Object>
  static Map<String, Object> open(Map<?, ?> ownCopy) {
    return (Map<String, Object>) ownCopy;
  }

  static Map<String, Object> mapping(Map<?, ?> map) {
    Map<String, Object> copy = new LinkedHashMap<>();
    map.forEach((key, value) -> copy.put((String) key, any(value)));
    return copy;
  }

  private static Object any(Object value) {
    return switch (value) {
      case Map<?, ?> map -> mapping(map);
      case List<?> list -> {
        List<Object> copy = new ArrayList<>(list.size());
        list.forEach(item -> copy.add(any(item)));
        yield copy;
      }
      case null -> null;
      default -> value;
    };
  }
}
