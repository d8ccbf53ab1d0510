package io.middleware.engine.render.guard;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.middleware.engine.api.placement.PodSettings;
import io.middleware.engine.api.placement.Spread;
import io.middleware.engine.api.placement.TopologySpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Gives the pods of a group what the App asks for, before the guard looks at them: what a template
 * may not do, an App may not do either. Lists are added to those of the template. What a template
 * has set to another value stays its own, and is a violation.
 *
 * @param settings null if the App asks for nothing
 * @param selector of the group's pods
 */
public record PodPlacement(PodSettings settings, Map<String, String> selector) {
  static final PodPlacement NONE = new PodPlacement(null, Map.of());

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TypeReference<List<Map<String, Object>>> LIST = new TypeReference<>() {};
  private static final String CONSTRAINTS = "topologySpreadConstraints";

  public PodPlacement {
    settings = settings == null ? PodSettings.NONE : settings;
    selector = Map.copyOf(selector);
  }

  /** The object, or a copy of it with the settings. */
  InspectedObject into(InspectedObject object) {
    var hasPods = object.is(KnownKinds.STATEFUL_SET) || object.is(KnownKinds.DEPLOYMENT);
    if (!hasPods || settings.equals(PodSettings.NONE)) {
      return object;
    }
    var copy = new InspectedObject(ForcedFields.mapping(object.tree()), object.violations());
    copy.metadataTemplates().forEach(pods -> fill(copy, pods));
    return copy;
  }

  /** A copy of the Job of an action, which runs where the pods of its group may run. */
  public Map<String, Object> intoJob(Map<String, Object> job) {
    var copy = new InspectedObject(ForcedFields.mapping(job), new ArrayList<>());
    copy.podSpecs().forEach(pod -> schedule(copy, pod));
    return copy.tree();
  }

  private void fill(InspectedObject object, TreeCursor pods) {
    var metadata = new TreeCursor(pods.path().field("metadata"), below(pods, "metadata"));
    put(object, metadata, "labels", settings.podLabels(), "podLabels");
    put(object, metadata, "annotations", settings.podAnnotations(), "podAnnotations");
    add(pods.at("spec"), CONSTRAINTS, constraints());
    schedule(object, pods.at("spec"));
  }

  private void schedule(InspectedObject object, TreeCursor pod) {
    add(pod, "tolerations", plain(settings.tolerations()));
    add(pod, "imagePullSecrets", plain(settings.imagePullSecrets()));
    put(object, pod, "nodeSelector", settings.nodeSelector(), "nodeSelector");
    var priority = settings.priorityClassName();
    if (priority != null && pod.value() instanceof Map<?, ?> spec) {
      put(
          object,
          pod,
          ForcedFields.open(spec),
          Map.of("priorityClassName", priority),
          "priorityClassName");
    }
  }

  private static void put(
      InspectedObject object,
      TreeCursor owner,
      String map,
      Map<String, String> values,
      String field) {
    if (values != null && !values.isEmpty()) {
      put(object, owner.at(map), below(owner, map), values, field);
    }
  }

  private static void put(
      InspectedObject object,
      TreeCursor at,
      Map<String, Object> target,
      Map<String, String> values,
      String field) {
    values.forEach(
        (key, value) -> {
          var before = target.putIfAbsent(key, value);
          if (before != null && !before.equals(value)) {
            object.refuse(
                at.at(key),
                "the Plugin sets it to %s: remove it from %s of the group"
                    .formatted(before, field));
          }
        });
  }

  private static void add(TreeCursor pod, String list, List<Map<String, Object>> values) {
    if (!values.isEmpty() && pod.value() instanceof Map<?, ?> spec) {
      var all = new ArrayList<Object>(pod.at(list).items().map(TreeCursor::value).toList());
      values.stream().filter(value -> !all.contains(value)).forEach(all::add);
      ForcedFields.open(spec).put(list, all);
    }
  }

  private static Map<String, Object> below(TreeCursor owner, String field) {
    return ForcedFields.below(ForcedFields.open((Map<?, ?>) owner.value()), field);
  }

  /**
   * Nodes with taints that the pods do not tolerate are no places: one that is drained or has
   * failed would otherwise count as an empty one, and keep pods from all others.
   */
  private List<Map<String, Object>> constraints() {
    var spread =
        Stream.ofNullable(settings.spread())
            .map(Spread::topologyKey)
            .map(key -> new TopologySpread(1, key, "DoNotSchedule", null, null, "Honor"));
    var own = Stream.ofNullable(settings.topologySpreadConstraints()).flatMap(List::stream);
    var constraints = plain(Stream.concat(spread, own).toList());
    constraints.forEach(it -> it.put("labelSelector", Map.of("matchLabels", selector)));
    return constraints;
  }

  private static List<Map<String, Object>> plain(List<?> records) {
    return records == null ? List.of() : JSON.convertValue(records, LIST);
  }
}
