package io.middleware.engine.planning;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;

import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the names of what has pods or volume claims with what a plan renders. An object of
 * another name is another object: its pods begin without the data.
 */
public final class ReplacedObjects {
  /** What helps. */
  public static final String WAY_OUT =
      "keep its name, or add a group with another name and move the data";

  private static final Set<String> IDENTITY = Set.of("StatefulSet", "PersistentVolumeClaim");
  private static final Set<String> PODS = Set.of("StatefulSet", "Deployment");

  private ReplacedObjects() {}

  /** Whether data belong to an object of this kind and name. */
  public static boolean hasIdentity(InventoryItem item) {
    return IDENTITY.contains(item.kind());
  }

  /** Whether an object of this kind makes pods that stay. */
  public static boolean makesPods(InventoryItem item) {
    return PODS.contains(item.kind());
  }

  /**
   * One sentence for each object that would be left behind or replaced.
   *
   * @param rendered the objects of the groups that are written
   */
  static List<String> problems(List<DeployedComponent> deployed, List<RenderedObject> rendered) {
    Map<String, Set<InventoryItem>> desired =
        rendered.stream()
            .collect(
                groupingBy(
                    ReplacedObjects::group,
                    mapping(ReplacedObjects::item, toCollection(LinkedHashSet::new))));
    var problems = new ArrayList<String>();
    for (var component : deployed) {
      component
          .groups()
          .forEach(
              (name, group) -> {
                var now = desired.get(component.component() + "/" + name);
                if (now != null) {
                  var field = FieldPaths.group(component.component(), name);
                  problems(group.inventory(), now).forEach(it -> problems.add(field + it));
                }
              });
    }
    return problems;
  }

  private static List<String> problems(List<InventoryItem> was, Set<InventoryItem> now) {
    var added =
        now.stream()
            .filter(item -> hasIdentity(item) || makesPods(item))
            .filter(item -> !was.contains(item))
            .toList();
    return was.stream()
        .filter(item -> !now.contains(item))
        .filter(
            item ->
                hasIdentity(item)
                    || makesPods(item) && added.stream().anyMatch(ReplacedObjects::makesPods))
        .map(item -> problem(item, added))
        .toList();
  }

  private static String problem(InventoryItem item, List<InventoryItem> added) {
    var successor =
        added.stream()
            .filter(other -> other.kind().equals(item.kind()))
            .findFirst()
            .or(() -> added.stream().findFirst());
    return successor
        .map(
            other ->
                ": %s %s would be replaced by %s %s, and what it has (pods, volume claims) would be left behind: %s"
                    .formatted(item.kind(), item.name(), other.kind(), other.name(), WAY_OUT))
        .orElseGet(
            () ->
                ": %s %s would no longer be part of the group, and what it has (pods, volume claims) would be left behind: keep it, or remove the group"
                    .formatted(item.kind(), item.name()));
  }

  private static InventoryItem item(RenderedObject object) {
    return new InventoryItem(object.kind().apiVersion(), object.kind().kind(), object.name());
  }

  private static String group(RenderedObject object) {
    return object.tree().get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("labels") instanceof Map<?, ?> labels
        ? labels.get(Labels.COMPONENT) + "/" + labels.get(Labels.GROUP)
        : "";
  }
}
