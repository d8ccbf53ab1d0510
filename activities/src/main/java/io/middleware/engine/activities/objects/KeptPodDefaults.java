package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.PodDefaults;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;

/** Keeps {@link PodDefaults} out of pods that nothing else would restart. */
public final class KeptPodDefaults {
  private final ImpersonatedClients writers;

  /**
   * @param writers ask the API server, with the rights of the App's service account
   */
  public KeptPodDefaults(ImpersonatedClients writers) {
    this.writers = writers;
  }

  /** What is to be applied onto this object, which is read before. */
  public RenderedObject in(App app, RenderedObject rendered, ObservedObject seen) {
    return seen.object()
        .filter(before -> PodDefaults.areNew(before, rendered.tree()))
        .filter(
            before ->
                rendered.kind().kind().equals("Job") // its pods cannot be edited
                    || VolumeClaimTemplates.haveSameNames(rendered.tree(), before)
                        && PodDefaults.areOnlyDifference(before, after(app, rendered, before)))
        .map(
            before ->
                new RenderedObject(
                    rendered.kind(), rendered.name(), PodDefaults.without(rendered.tree(), before)))
        .orElse(rendered);
  }

  /**
   * The objects of a group with its StatefulSets as they were before.
   *
   * @param lastLines as of {@link PodDefaults#without}
   */
  public static RenderedObjects kept(RenderedObjects rendered, boolean lastLines) {
    return new RenderedObjects(
        rendered.inOrder().stream()
            .map(it -> it.kind().kind().equals("StatefulSet") ? kept(it, lastLines) : it)
            .toList());
  }

  private static RenderedObject kept(RenderedObject rendered, boolean lastLines) {
    return new RenderedObject(
        rendered.kind(), rendered.name(), PodDefaults.without(rendered.tree(), lastLines));
  }

  private GenericKubernetesResource after(
      App app, RenderedObject rendered, GenericKubernetesResource before) {
    var client = writers.of(app);
    var object =
        client
            .getKubernetesSerialization()
            .convertValue(
                VolumeClaimTemplates.asDeployed(rendered.tree(), before),
                GenericKubernetesResource.class);
    object.getMetadata().setNamespace(app.getMetadata().getNamespace());
    return Faults.attempt(
        "compare %s %s/%s"
            .formatted(rendered.kind().kind(), app.getMetadata().getNamespace(), rendered.name()),
        () ->
            client
                .resource(object)
                .dryRun()
                .fieldManager(EngineObjects.MANAGER)
                .forceConflicts()
                .serverSideApply());
  }
}
