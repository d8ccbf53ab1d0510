package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The replicas of a workload whose template leaves them to others, such as an autoscaler. A stop
 * sets them to 0, at which autoscalers rest, and a start sets them to what they were. A field
 * manager of its own does both: the manager of templates would give the field up at its next apply,
 * and the API server would then set it to 1.
 */
public final class UnsetReplicas {
  private static final String MANAGER = EngineObjects.MANAGER + "-state";
  private static final List<String> WORKLOADS = List.of("StatefulSet", "Deployment");

  private final ObjectWriter objects;

  public UnsetReplicas(ObjectWriter objects) {
    this.objects = objects;
  }

  /** Whether the template of this workload leaves its replicas to others. */
  public static boolean areIn(RenderedObject rendered) {
    return WORKLOADS.contains(rendered.kind().kind())
        && rendered.tree().get("spec") instanceof Map<?, ?> spec
        && spec.get("replicas") == null;
  }

  /** What is applied to create the workload of a stopped group. */
  public static RenderedObject none(RenderedObject rendered) {
    var tree = new HashMap<>(rendered.tree());
    var spec = new HashMap<String, Object>();
    ((Map<?, ?>) tree.get("spec")).forEach((key, value) -> spec.put(key.toString(), value));
    spec.put("replicas", 0);
    tree.put("spec", spec);
    return new RenderedObject(rendered.kind(), rendered.name(), tree);
  }

  /**
   * Takes all pods away, and records how many there were.
   *
   * @param now the workload as it is
   * @param desired how many there would be without an autoscaler
   */
  public GenericKubernetesResource stop(
      App app, GenericKubernetesResource now, Runnable fence, int desired) {
    int replicas = replicas(now);
    var before =
        replicas > 0 ? Integer.toString(replicas) : before(now).orElse(Integer.toString(desired));
    return write(app, now, fence, 0, Map.of(Labels.REPLICAS_BEFORE_STOP, before));
  }

  /** Brings the pods back that a stop has taken away, unless somebody else has already. */
  public GenericKubernetesResource start(App app, GenericKubernetesResource now, Runnable fence) {
    return before(now)
        .map(before -> replicas(now) > 0 ? replicas(now) : Integer.parseInt(before))
        .map(replicas -> write(app, now, fence, replicas, Map.of()))
        .orElse(now);
  }

  private GenericKubernetesResource write(
      App app,
      GenericKubernetesResource now,
      Runnable fence,
      int replicas,
      Map<String, String> annotations) {
    var bare = new GenericKubernetesResource();
    bare.setApiVersion(now.getApiVersion());
    bare.setKind(now.getKind());
    bare.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(now.getMetadata().getNamespace())
            .withName(now.getMetadata().getName())
            .withAnnotations(annotations)
            .build());
    bare.setAdditionalProperty("spec", Map.of("replicas", replicas));
    return objects.scale(app, MANAGER, bare, now, fence);
  }

  private static int replicas(GenericKubernetesResource workload) {
    return workload.get("spec", "replicas") instanceof Number number ? number.intValue() : 1;
  }

  private static Optional<String> before(GenericKubernetesResource workload) {
    return Optional.ofNullable(workload.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(Labels.REPLICAS_BEFORE_STOP));
  }
}
