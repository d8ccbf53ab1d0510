package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.activities.render.guard.RenderedObject;
import io.middleware.engine.activities.render.guard.RenderedObjects;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Storage;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Whether the template of a group's pods changes with the size of their volumes, so that pods are
 * out of date when those have grown. Found out by rendering the group with another size, as it has
 * to come to the same in a repeat, when nobody knows the former size any more.
 */
final class VolumeSizeInTemplate {
  private VolumeSizeInTemplate() {}

  /** Makes the objects of a group. */
  @FunctionalInterface
  interface Renderer {

    /**
     * @throws ApplicationFailure when they cannot be rendered
     */
    RenderedObjects render(GroupSpec group);
  }

  /**
   * @param objects of the group
   */
  static boolean isShown(GroupSpec group, RenderedObjects objects, Renderer renderer) {
    if (group.storage() == null || group.storage().size() == null) {
      return false;
    }
    try {
      return !pods(objects).equals(pods(renderer.render(resized(group))));
    } catch (ApplicationFailure e) {
      return true; // only some sizes can be rendered
    }
  }

  private static List<?> pods(RenderedObjects objects) {
    return objects.inOrder().stream()
        .map(RenderedObject::tree)
        .map(tree -> tree.get("spec"))
        .filter(Map.class::isInstance)
        .map(spec -> ((Map<?, ?>) spec).get("template"))
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * With the smallest size of the same unit, as templates may tell sizes up to some from others.
   */
  private static GroupSpec resized(GroupSpec group) {
    var size = new Quantity(group.storage().size());
    var other = (size.getAmount().equals("1") ? "2" : "1") + size.getFormat();
    return new GroupSpec(
        group.app(),
        group.component(),
        group.type(),
        group.group(),
        group.plugin(),
        group.runtime(),
        group.state(),
        group.replicas(),
        group.resources(),
        new Storage(other, group.storage().storageClassName()),
        group.affinity(),
        group.values(),
        group.monitoring(),
        group.backup());
  }
}
