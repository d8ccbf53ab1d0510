package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.render.guard.RenderedObject;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Optional;

/**
 * Writes a StatefulSet. The API server does not allow edits of its volume claim templates: when
 * they differ, the StatefulSet is replaced and its pods are kept, or keeps the templates it has.
 *
 * <ol>
 *   <li>Apply everything except the templates: if the API server refuses something, the old
 *       StatefulSet still exists.
 *   <li>Delete exactly the old StatefulSet and orphan its pods.
 *   <li>Once it is gone, apply the new one, which adopts the pods.
 * </ol>
 *
 * <p>A repeat finds the old StatefulSet unchanged, being deleted or gone, and continues from there.
 */
public final class StatefulSetWriter {
  /** The garbage collector needs milliseconds to orphan the pods. */
  private static final Duration ORPHANING_LIMIT = Duration.ofSeconds(20);

  private final ObjectWriter objects;
  private final ClusterView view;
  private final ClusterWaiter waiting;

  public StatefulSetWriter(ObjectWriter objects, ClusterView view) {
    this.objects = objects;
    this.view = view;
    this.waiting = new ClusterWaiter(view, message -> {});
  }

  /**
   * @param seen the existing one
   * @param mayReplace whether this task writes the volume claim templates
   */
  public GenericKubernetesResource write(
      App app, Group group, RenderedObject desired, ObservedObject seen, boolean mayReplace) {
    if (seen.object().isEmpty()) {
      return mayReplace
          ? replaced(app, group, desired, seen)
          : objects.apply(app, group, desired, seen);
    }
    var set = seen.object().get();
    if (!set.isMarkedForDeletion()) {
      if (!VolumeClaimTemplates.differ(desired.tree(), set)
          || !mayReplace && !VolumeClaimTemplates.haveSameNames(desired.tree(), set)) {
        return objects.apply(app, group, desired, seen);
      }
      var written = objects.apply(app, group, asDeployed(desired, set), seen);
      if (!mayReplace) {
        return written;
      }
      objects.deleteWithoutPods(app, written, seen.fence());
    }
    awaitGone(app, set);
    return replaced(app, group, desired, seen.as(Optional.empty()));
  }

  private static RenderedObject asDeployed(RenderedObject desired, GenericKubernetesResource set) {
    return new RenderedObject(
        desired.kind(), desired.name(), VolumeClaimTemplates.asDeployed(desired.tree(), set));
  }

  private void awaitGone(App app, HasMetadata set) {
    var metadata = set.getMetadata();
    var key = new AppKey(metadata.getNamespace(), app.getMetadata().getName());
    waiting
        .until(
            key,
            ORPHANING_LIMIT,
            () ->
                view.statefulSet(key, metadata.getName())
                    .filter(seen -> metadata.getUid().equals(seen.getMetadata().getUid()))
                    .map(Rollout::beingDeleted))
        .ifPresent(
            message -> {
              throw Faults.of(FaultKind.UNAVAILABLE, message);
            });
  }

  /**
   * The pods have no controller now, so a refusal is retried: it may pass, for example when a quota
   * still counts the old StatefulSet.
   */
  private GenericKubernetesResource replaced(
      App app, Group group, RenderedObject desired, ObservedObject seen) {
    try {
      var written = objects.apply(app, group, desired, seen);
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
