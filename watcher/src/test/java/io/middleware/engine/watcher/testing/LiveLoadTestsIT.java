package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.process.servers.LocalCluster;

class LiveLoadTestsIT extends LiveTestsContract<LoadTest> {
  LiveLoadTestsIT(LocalCluster cluster) {
    super(cluster, new LoadTests());
  }

  @Override
  public String message(LoadTest object) {
    return object.getStatus().message();
  }
}
