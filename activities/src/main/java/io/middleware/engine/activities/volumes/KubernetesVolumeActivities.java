package io.middleware.engine.activities.volumes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.Fence;
import io.middleware.engine.activities.kubernetes.Snapshots;
import io.middleware.engine.activities.kubernetes.Writers;
import io.middleware.engine.activities.resources.WantedGroups;
import io.middleware.engine.activities.status.ClaimRenewals;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.VolumeActivities;

/** {@inheritDoc} */
public final class KubernetesVolumeActivities implements VolumeActivities {
  private final VolumeGrowth.Cluster cluster;

  /**
   * @param engine client with the engine's own rights
   * @param view started
   */
  public KubernetesVolumeActivities(
      KubernetesClient engine,
      Snapshots snapshots,
      Writers writers,
      ClusterView view,
      WantedGroups groups) {
    this.cluster =
        new VolumeGrowth.Cluster(
            engine, writers, new Fence(engine, new ClaimRenewals(engine)), snapshots, view, groups);
  }

  @Override
  public void growVolumes(GroupRef group) {
    new VolumeGrowth(cluster, group).run();
  }
}
