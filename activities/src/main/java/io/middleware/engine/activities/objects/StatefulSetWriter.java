package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.AppliedSet;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
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
 *   <li>Keep the old StatefulSet with all that others own in it ({@link ReplacedStatefulSets}).
 *   <li>Delete exactly the old StatefulSet and orphan its pods.
 *   <li>Once it is gone, create it again as it was, and apply the new one onto it. It adopts the
 *       pods.
 * </ol>
 *
 * <p>A repeat finds the old StatefulSet unchanged, being deleted or gone, and continues from there.
 */
public final class StatefulSetWriter {
  /** The garbage collector needs milliseconds to orphan the pods. */
  private static final Duration ORPHANING_LIMIT = Duration.ofSeconds(20);

  private final ObjectWriter objects;
  private final ReplacedStatefulSets replaced;
  private final ClusterView view;
  private final ClusterWaiter waiting;

  public StatefulSetWriter(ObjectWriter objects, ReplacedStatefulSets replaced, ClusterView view) {
    this.objects = objects;
    this.replaced = replaced;
    this.view = view;
    this.waiting = new ClusterWaiter(view, message -> {});
  }

  /**
   * @param seen the existing one
   * @param mayReplace whether this task writes the volume claim templates
   */
  public GenericKubernetesResource write(
      App app, Group group, RenderedObject desired, ObservedObject seen, boolean mayReplace) {
    var kept = replaced.of(group, desired.name());
    if (seen.object().isEmpty()) {
      return mayReplace || kept.isPresent()
          ? recreated(app, group, desired, seen, kept)
          : objects.apply(app, group, desired, seen);
    }
    var set = seen.object().get();
    if (!set.isMarkedForDeletion()) {
      var now = kept.map(it -> replaced.withOwners(app, it, set)).orElse(set);
      var differs = VolumeClaimTemplates.differ(desired.tree(), now);
      var keepsTemplates =
          differs && (mayReplace || VolumeClaimTemplates.haveSameNames(desired.tree(), now));
      var written =
          objects.apply(
              app,
              group,
              keepsTemplates ? asDeployed(desired, now) : desired,
              seen.as(Optional.of(now)));
      if (!differs || !mayReplace) {
        kept.ifPresent(it -> replaced.forget(group));
        return written;
      }
      replaced.keep(group, written);
      kept = Optional.of(written);
      objects.deleteWithoutPods(app, written, seen.fence());
    }
    awaitGone(app, set);
    return recreated(app, group, desired, seen.as(Optional.empty()), kept);
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
                    .map(AppliedSet::beingDeleted))
        .ifPresent(
            message -> {
              throw Faults.of(FaultKind.UNAVAILABLE, message);
            });
  }

  /**
   * The pods have no controller now, so a refusal is retried: it may pass, for example when a quota
   * still counts the old StatefulSet.
   */
  private GenericKubernetesResource recreated(
      App app,
      Group group,
      RenderedObject desired,
      ObservedObject seen,
      Optional<GenericKubernetesResource> kept) {
    try {
      var now = kept.map(it -> replaced.create(app, it, desired));
      var written = objects.apply(app, group, desired, seen.as(now));
      if (written.isMarkedForDeletion()) {
        throw Faults.of(FaultKind.UNAVAILABLE, AppliedSet.beingDeleted(written));
      }
      kept.ifPresent(it -> replaced.forget(group));
      return written;
    } catch (ApplicationFailure e) {
      throw FaultKind.FORBIDDEN.label().equals(e.getType())
          ? Faults.of(FaultKind.UNAVAILABLE, e.getOriginalMessage())
          : e;
    }
  }
}
