package io.middleware.engine.activities.volumes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.activities.kubernetes.RunLockFence;
import io.middleware.engine.activities.kubernetes.Snapshots;
import io.middleware.engine.activities.resources.DesiredGroups;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.VolumeActivities;

/** {@inheritDoc} */
public final class KubernetesVolumeActivities implements VolumeActivities {
  private final VolumeExpansion.Cluster cluster;

  /**
   * @param engine client with the engine's own rights
   * @param view started
   */
  public KubernetesVolumeActivities(
      KubernetesClient engine,
      RunLockFence fence,
      Snapshots snapshots,
      ImpersonatedClients writers,
      ClusterView view,
      ClusterWaiter waiting,
      DesiredGroups groups) {
    this.cluster =
        new VolumeExpansion.Cluster(
            engine,
            writers,
            fence,
            snapshots,
            view,
            waiting,
            groups);
  }

  @Override
  public void growVolumes(GroupRef group) {
    new VolumeExpansion(cluster, group).run();
  }
}
