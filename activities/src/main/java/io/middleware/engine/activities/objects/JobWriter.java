package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.JobTemplates;
import io.middleware.engine.render.guard.RenderedObject;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;

/**
 * Writes a Job, whose pod template the API server does not allow to be edited: one that has
 * completed is left alone then, and any other one is made anew.
 *
 * @param objects writes everything else
 */
public record JobWriter(ObjectWriter objects) {

  /**
   * @param seen the existing one
   * @return as it is then
   */
  public GenericKubernetesResource write(
      App app, Group group, RenderedObject desired, ObservedObject seen) {
    var live = seen.object();
    try {
      return objects.apply(
          app, group, live.map(it -> asDeployed(desired, it)).orElse(desired), seen);
    } catch (ApplicationFailure e) {
      if (live.isEmpty() || !FaultKind.INVALID.label().equals(e.getType())) {
        throw e;
      }
      if (JobTemplates.isComplete(live.get())) {
        return live.get();
      }
      objects.delete(app, live.get(), seen.fence());
      return objects.apply(app, group, desired, seen.as(Optional.empty()));
    }
  }

  private static RenderedObject asDeployed(RenderedObject desired, GenericKubernetesResource live) {
    return new RenderedObject(
        desired.kind(), desired.name(), JobTemplates.asDeployed(desired.tree(), live));
  }
}
