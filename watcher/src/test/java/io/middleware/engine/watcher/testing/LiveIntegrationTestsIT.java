package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.watcher.request.LiveRequestsContract;

class LiveIntegrationTestsIT extends LiveRequestsContract<IntegrationTest, IntegrationTestStatus> {
  LiveIntegrationTestsIT(LocalCluster cluster) {
    super(cluster, new IntegrationTestKind(), SampleTests.YAML.get(IntegrationTest.class));
  }

  @Override
  public String message(IntegrationTest object) {
    return object.getStatus().message();
  }
}
