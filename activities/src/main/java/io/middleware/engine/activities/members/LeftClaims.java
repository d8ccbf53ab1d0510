package io.middleware.engine.activities.members;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.volumes.VolumeClaims;
import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.RebuildStatus.RebuiltClaim;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ExistingPods;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.app.VolumeUse;
import io.middleware.engine.workflows.port.MemberActivities.MoveRequest;
import java.util.Optional;

/**
 * The volume claims that exist for a pod that joins. It must begin with an empty volume: a member
 * that comes back with what it had when it left is refused by the others, or harms them.
 */
final class LeftClaims {
  private final PodStepContext context;
  private final VolumeClaims claims;
  private final MoveRequest request;

  LeftClaims(PodStepContext context, VolumeClaims claims, MoveRequest request) {
    this.context = context;
    this.claims = claims;
    this.request = request;
  }

  /**
   * Deletes those of a member that has left, and waits until they are gone.
   *
   * @param app whose account deletes them
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when there is one of which that
   *     is not known: its data may be needed
   */
  void clear(App app) {
    var pod = request.move().pod();
    var key = AppKey.of(request.change());
    ExistingPods.of(context.view(), request.group()).set().stream()
        .flatMap(set -> claims.found(set, pod))
        .forEach(claim -> clear(app, key, claim));
  }

  private void clear(App app, AppKey key, PersistentVolumeClaim found) {
    var claim = VolumeClaims.named(found);
    if (VolumeUse.of(found).filter(VolumeUse::isOfMemberThatLeft).isEmpty()) {
      throw Faults.of(FaultKind.INVALID, unknown(claim));
    }
    claims.delete(app, claim);
    context
        .waiter()
        .until(
            key,
            () ->
                claims.exists(request.change().namespace(), claim)
                    ? Optional.of(
                        "PersistentVolumeClaim %s of a member that has left is being deleted"
                            .formatted(claim.name()))
                    : Optional.empty());
    context.reporter().claimCleared(app, request.change(), claim.name(), cleared(claim));
  }

  private String cleared(RebuiltClaim claim) {
    return "PersistentVolumeClaim %s is deleted: its member has left group %s, and pod %s joins with an empty volume"
        .formatted(claim.name(), request.group().group(), request.move().pod());
  }

  private String unknown(RebuiltClaim claim) {
    return "pod %s is to join group %s with an empty volume, but PersistentVolumeClaim %s exists, and not of a member that is known to have left; if nobody needs its data, delete it: kubectl -n %s delete pvc %s"
        .formatted(
            request.move().pod(),
            request.group().group(),
            claim.name(),
            request.change().namespace(),
            claim.name());
  }
}
