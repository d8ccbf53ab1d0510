package io.middleware.engine.watcher.testing;

import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;

class LoadTestReconcilerIT extends HeldTestContract<LoadTest> {
  LoadTestReconcilerIT(LocalCluster cluster, LocalTemporal server) {
    super(cluster, server, LoadTest.class, "load");
  }

  @Override
  protected Reconciler<LoadTest> reconciler() {
    return reconcilers().loadTests();
  }
}
