package io.middleware.engine.watcher.testing;

import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;

class IntegrationTestReconcilerIT extends HeldTestContract<IntegrationTest> {
  IntegrationTestReconcilerIT(LocalCluster cluster, LocalTemporal server) {
    super(cluster, server, IntegrationTest.class, "test");
  }

  @Override
  protected Reconciler<IntegrationTest> reconciler() {
    return reconcilers().integrationTests();
  }
}
