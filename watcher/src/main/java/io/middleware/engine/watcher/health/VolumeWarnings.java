package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.middleware.engine.api.App;
import io.middleware.engine.watcher.cache.LruCache;
import java.time.Instant;

/** Says once for each volume claim that its volume is at risk. */
final class VolumeWarnings {
  private static final String REASON = "VolumeClaimBeingDeleted";

  private final LruCache<String, Boolean> announced = new LruCache<>();
  private final HealthEvents events;

  /**
   * @param events may be told the same again, after a restart
   */
  VolumeWarnings(HealthEvents events) {
    this.events = events;
  }

  void warn(VolumeHealth volumes, Instant now) {
    volumes.atRisk(now).forEach(claim -> warn(volumes.app(), claim));
  }

  private void warn(App app, PersistentVolumeClaim claim) {
    var uid = claim.getMetadata().getUid();
    if (announced.get(uid).isEmpty()) {
      announced.put(uid, true);
      events.record(app, uid, true, REASON, VolumeHealth.message(claim));
    }
  }
}
