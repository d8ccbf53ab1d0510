package io.middleware.engine.watcher.apiserver;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.OnApiServer;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test with objects of a kind in a cluster of its own. */
@ExtendWith(OnApiServer.class)
public abstract class ClusterCase<T extends HasMetadata> implements LiveObjects<T> {
  protected final LocalCluster cluster;

  protected ClusterCase(LocalCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public final LocalCluster cluster() {
    return cluster;
  }
}
