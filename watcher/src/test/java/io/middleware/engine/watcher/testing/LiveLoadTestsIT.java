package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.watcher.request.LiveRequestsContract;

class LiveLoadTestsIT extends LiveRequestsContract<LoadTest, LoadTestStatus> {
  LiveLoadTestsIT(LocalCluster cluster) {
    super(cluster, new LoadTestKind(), SampleTests.YAML.get(LoadTest.class));
  }

  @Override
  public String message(LoadTest object) {
    return object.getStatus().message();
  }
}
