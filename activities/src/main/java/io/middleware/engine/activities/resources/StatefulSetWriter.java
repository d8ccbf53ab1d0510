package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClaimTemplates;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.activities.render.guard.RenderedObject;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.FaultKind;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Optional;

/**
 * Writes a StatefulSet. The sizes in its claim templates cannot be edited: where they have grown,
 * it is replaced without its pods.
 *
 * <ol>
 *   <li>All but the sizes is applied, so that what the API server refuses is refused while the old
 *       one is there.
 *   <li>Exactly that one is deleted, and its pods are left.
 *   <li>Once it is gone, the new one is applied; it takes the pods over.
 * </ol>
 *
 * <p>A repeat finds it as it was, or on its way, or gone, and goes on from there.
 */
final class StatefulSetWriter {
  /** Its controller needs milliseconds to let the pods go. */
  private static final Duration CONTROLLER = Duration.ofSeconds(20);

  private final ObjectWriter objects;
  private final ClusterView view;
  private final ClusterWaiter waiting;

  StatefulSetWriter(ObjectWriter objects, ClusterView view) {
    this.objects = objects;
    this.view = view;
    this.waiting = new ClusterWaiter(view, words -> {});
  }

  /**
   * @param live as it is there
   * @param mayGrow whether the sizes are this task's to write
   */
  GenericKubernetesResource write(
      App app,
      Group group,
      RenderedObject wanted,
      Optional<GenericKubernetesResource> live,
      boolean mayGrow) {
    if (live.isEmpty()) {
      return mayGrow ? replaced(app, group, wanted) : objects.apply(app, group, wanted);
    }
    var set = live.get();
    if (!set.isMarkedForDeletion()) {
      if (!ClaimTemplates.isGrown(wanted.tree(), set)) {
        return objects.apply(app, group, wanted);
      }
      var written = objects.apply(app, group, ungrown(wanted, set));
      if (!mayGrow) {
        return written;
      }
      objects.deleteWithoutPods(app, set);
    }
    awaitGone(app, set);
    return replaced(app, group, wanted);
  }

  private static RenderedObject ungrown(RenderedObject wanted, GenericKubernetesResource set) {
    return new RenderedObject(
        wanted.kind(), wanted.name(), ClaimTemplates.ungrown(wanted.tree(), set));
  }

  private void awaitGone(App app, HasMetadata set) {
    var metadata = set.getMetadata();
    var key = new AppKey(metadata.getNamespace(), app.getMetadata().getName());
    waiting
        .until(
            key,
            CONTROLLER,
            () ->
                view.statefulSet(key, metadata.getName())
                    .filter(seen -> metadata.getUid().equals(seen.getMetadata().getUid()))
                    .map(Rollout::beingDeleted))
        .ifPresent(
            words -> {
              throw Faults.of(FaultKind.UNAVAILABLE, words);
            });
  }

  /**
   * The pods are without a controller: what refuses it may be about to pass, as a quota that has
   * not noticed yet that the old one is gone.
   */
  private GenericKubernetesResource replaced(App app, Group group, RenderedObject wanted) {
    try {
      var written = objects.apply(app, group, wanted);
      if (written.isMarkedForDeletion()) {
        throw Faults.of(FaultKind.UNAVAILABLE, Rollout.beingDeleted(written));
      }
      return written;
    } catch (ApplicationFailure e) {
      throw FaultKind.FORBIDDEN.label().equals(e.getType())
          ? Faults.of(FaultKind.UNAVAILABLE, e.getOriginalMessage())
          : e;
    }
  }
}
