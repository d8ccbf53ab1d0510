package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.process.servers.LocalCluster;

class LiveIntegrationTestsIT extends LiveTestsContract<IntegrationTest> {
  LiveIntegrationTestsIT(LocalCluster cluster) {
    super(cluster, new IntegrationTests());
  }

  @Override
  public String message(IntegrationTest object) {
    return object.getStatus().message();
  }
}
