package io.middleware.engine.planning.operation;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.List;

/**
 * The pods of a group.
 *
 * @param type of the component
 * @param names of those that its StatefulSet has; empty without a StatefulSet
 * @param haveVolumes whether the StatefulSet makes volume claims for them
 */
public record RenderedPods(
    String component, String type, String group, List<String> names, boolean haveVolumes) {
  private static final ObjectMapper OBJECTS = new ObjectMapper();

  public RenderedPods {
    names = List.copyOf(names);
  }

  public static RenderedPods of(GroupSpec group, List<RenderedObject> rendered) {
    var set =
        rendered.stream()
            .filter(object -> object.kind().kind().equals("StatefulSet"))
            .findFirst()
            .map(object -> OBJECTS.convertValue(object.tree(), StatefulSet.class));
    return new RenderedPods(
        group.component(),
        group.type(),
        group.group(),
        set.map(it -> Rollout.podNames(it, Rollout.replicas(it))).orElseGet(List::of),
        set.filter(it -> !it.getSpec().getVolumeClaimTemplates().isEmpty()).isPresent());
  }

  /** For people. */
  @Override
  public String toString() {
    return "group %s of component %s".formatted(group, component);
  }
}
