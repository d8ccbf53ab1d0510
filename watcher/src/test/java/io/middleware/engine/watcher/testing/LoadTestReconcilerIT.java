package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.request.RequestReconciler;

class LoadTestReconcilerIT extends HeldTestContract<LoadTest> {
  LoadTestReconcilerIT(LocalCluster cluster, LocalTemporal server) {
    super(cluster, server, LoadTest.class, "load");
  }

  @Override
  protected RequestReconciler<LoadTest> reconciler() {
    return reconcilers().loadTests();
  }
}
