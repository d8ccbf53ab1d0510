package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.Faults;
import java.util.List;
import java.util.Map;

/** Finds volume claims, and deletes them with their data. */
public final class VolumeClaimWriter {
  private final KubernetesClient engine;
  private final PreciseDeletion precisely;
  private final ForcedDeletions deletions;

  VolumeClaimWriter(KubernetesClient engine, PreciseDeletion precisely, ForcedDeletions deletions) {
    this.engine = engine;
    this.precisely = precisely;
    this.deletions = deletions;
  }

  /** Those that these labels select, listed with the engine's own rights. */
  public List<PersistentVolumeClaim> find(String namespace, Map<String, String> selector) {
    return Faults.list(
        "volume claims in " + namespace,
        engine.resources(PersistentVolumeClaim.class).inNamespace(namespace).withLabels(selector));
  }

  /** Deletes all of them. */
  public void delete(App app, List<PersistentVolumeClaim> claims) {
    claims.forEach(
        claim ->
            deletions.attempt(
                app,
                nameOf(claim),
                () -> Faults.attempt("delete " + nameOf(claim), () -> delete(app, claim, false))));
  }

  /**
   * Deletes this one, unless it has changed since it was read: it may have a volume now.
   *
   * @return whether it is deleted
   */
  public boolean deleteAsSeen(App app, PersistentVolumeClaim claim) {
    return Faults.unlessStale("delete " + nameOf(claim), () -> delete(app, claim, true))
        .isPresent();
  }

  private PersistentVolumeClaim delete(App app, PersistentVolumeClaim claim, boolean asSeen) {
    precisely.delete(app, claim, "Background", asSeen);
    return claim;
  }

  private static String nameOf(PersistentVolumeClaim claim) {
    var metadata = claim.getMetadata();
    return "PersistentVolumeClaim %s/%s".formatted(metadata.getNamespace(), metadata.getName());
  }
}
