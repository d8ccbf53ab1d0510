package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.middleware.engine.activities.objects.VolumeClaimWriter;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.cluster.VolumeState;
import io.middleware.engine.render.guard.RenderedObjects;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.Optional;

/**
 * Volume claims that have no volume yet, and so no data.
 *
 * @param claims lists and deletes them
 */
record EmptyClaims(VolumeClaimWriter claims) {

  /**
   * Deletes the claims that have no volume and ask for another one than the templates do. They have
   * no data, cannot be edited, and the StatefulSet makes them again for the pods that wait for
   * them.
   */
  void remake(App app, GroupRef ref, RenderedObjects rendered) {
    var change = ref.task().change();
    var corrects = ref.task().type() == ChangeType.STORAGE;
    var wanted =
        rendered.inOrder().stream()
            .filter(object -> object.kind().kind().equals("StatefulSet"))
            .flatMap(
                set ->
                    VolumeClaimTemplates.sizes(set.kind().kind(), set.name(), set.tree()).stream())
            .toList();
    claims
        .find(
            change.namespace(), Labels.selector(change.app(), ref.task().component(), ref.group()))
        .stream()
        .filter(claim -> !new VolumeState(claim).hasVolume() && !claim.isMarkedForDeletion())
        .filter(claim -> wanted.stream().anyMatch(size -> isOther(size, claim, corrects)))
        .forEach(claim -> claims.deleteAsSeen(app, claim));
  }

  /**
   * @param corrects whether the class that it has without one in the template may be a wrong one
   */
  private static boolean isOther(
      VolumeClaimSize wanted, PersistentVolumeClaim claim, boolean corrects) {
    var has = Optional.ofNullable(claim.getSpec().getStorageClassName());
    var requested = new VolumeState(claim).requested();
    return wanted.isOf(claim.getMetadata().getName())
        && (wanted.exceeds(requested)
            || VolumeClaimSize.exceeds(requested, wanted.size())
            || (corrects || wanted.storageClass().isPresent())
                && !wanted.storageClass().equals(has));
  }
}
