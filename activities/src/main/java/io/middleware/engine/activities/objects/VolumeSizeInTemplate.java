package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.NamedVolume;
import io.middleware.engine.api.Storage;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Checks whether the template of a group's pods depends on the size of their volumes: then pods are
 * out of date after the volumes have grown. The check renders the group with another size, because
 * a repeat, which does not know the former size, must come to the same result.
 */
public final class VolumeSizeInTemplate {
  private VolumeSizeInTemplate() {}

  /** Renders the objects of a group. */
  @FunctionalInterface
  public interface Renderer {

    /**
     * @throws ApplicationFailure when they cannot be rendered
     */
    RenderedObjects render(GroupSpec group);
  }

  /**
   * @param objects of the group
   */
  public static boolean isShown(GroupSpec group, RenderedObjects objects, Renderer renderer) {
    if (group.storage() == null && group.volumes() == null) {
      return false;
    }
    try {
      return !haveSamePods(objects, renderer.render(resized(group)));
    } catch (ApplicationFailure e) {
      return true; // the template accepts only some sizes
    }
  }

  /** Whether the templates of pods are the same. */
  public static boolean haveSamePods(RenderedObjects objects, RenderedObjects others) {
    return pods(objects).equals(pods(others));
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

  private static GroupSpec resized(GroupSpec group) {
    var storage =
        Optional.ofNullable(group.storage())
            .filter(it -> it.size() != null)
            .map(it -> new Storage(resized(it.size()), it.storageClassName()))
            .orElse(null);
    var volumes =
        Optional.ofNullable(group.volumes())
            .map(all -> all.stream().map(VolumeSizeInTemplate::resized).toList())
            .orElse(null);
    return group.withStorage(storage).withVolumes(volumes);
  }

  private static NamedVolume resized(NamedVolume volume) {
    return new NamedVolume(volume.name(), resized(volume.size()), volume.storageClassName());
  }

  /** The smallest size of the same unit, as templates may treat small sizes differently. */
  private static String resized(String text) {
    var size = new Quantity(text);
    return (size.getAmount().equals("1") ? "2" : "1") + size.getFormat();
  }
}
