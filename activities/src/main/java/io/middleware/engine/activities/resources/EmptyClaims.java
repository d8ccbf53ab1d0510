package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.middleware.engine.activities.objects.VolumeClaimWriter;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.cluster.VolumeState;
import io.middleware.engine.render.guard.RenderedObjects;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Volume claims that have no volume yet, and so no data.
 *
 * @param claims lists and deletes them
 */
record EmptyClaims(VolumeClaimWriter claims) {
  /** The controllers of volumes write a claim a few times, and then leave it alone. */
  private static final int LOOKS = 20;

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
    var selector = Labels.selector(change.app(), ref.task().component(), ref.group());
    for (var look = 1; !remade(app, change.namespace(), selector, wanted, corrects); look++) {
      if (look == LOOKS) {
        throw Faults.of(
            FaultKind.CONFLICT,
            "the volume claims of group %s change each time they are to be deleted: see kubectl -n %s get pvc -l %s=%s"
                .formatted(ref.group(), change.namespace(), Labels.APP, change.app()));
      }
    }
  }

  /** Whether none of them has changed since it was looked at. */
  private boolean remade(
      App app,
      String namespace,
      Map<String, String> selector,
      List<VolumeClaimSize> wanted,
      boolean corrects) {
    return claims.find(namespace, selector).stream()
        .filter(claim -> !new VolumeState(claim).hasVolume() && !claim.isMarkedForDeletion())
        .filter(claim -> wanted.stream().anyMatch(size -> isOther(size, claim, corrects)))
        .allMatch(claim -> claims.deleteAsSeen(app, claim));
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
