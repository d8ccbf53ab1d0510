package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.request.RequestReconciler;

class IntegrationTestReconcilerIT extends HeldTestContract<IntegrationTest> {
  IntegrationTestReconcilerIT(LocalCluster cluster, LocalTemporal server) {
    super(cluster, server, IntegrationTest.class, "test");
  }

  @Override
  protected RequestReconciler<IntegrationTest> reconciler() {
    return reconcilers().integrationTests();
  }
}
