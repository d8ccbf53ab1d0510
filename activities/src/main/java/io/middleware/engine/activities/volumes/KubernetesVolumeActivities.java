package io.middleware.engine.activities.volumes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.resources.DesiredGroups;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.runlock.PauseGate;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.VolumeActivities;

/** {@inheritDoc} */
public final class KubernetesVolumeActivities implements VolumeActivities {
  private final VolumeExpansion.ExpansionContext context;

  /**
   * @param engine client with the engine's own rights
   * @param view must already be started
   */
  public KubernetesVolumeActivities(
      KubernetesClient engine,
      ImpersonatedClients writers,
      PauseGate gate,
      ClusterView view,
      ClusterWaiter waiter,
      DesiredGroups groups) {
    this.context =
        new VolumeExpansion.ExpansionContext(engine, writers, gate, view, waiter, groups);
  }

  @Override
  public void growVolumes(GroupRef group) {
    new VolumeExpansion(context, group).run();
  }
}
