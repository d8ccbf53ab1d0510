package io.middleware.engine.simulator.host;

import io.middleware.engine.agent.redis.GroupPeers;
import io.middleware.engine.agent.redis.RedisPeer;
import java.util.List;

/** The last observed pods of a hosted pod's group. */
record HostedPeers(SiblingPods observed, PodConfig config, int port) implements GroupPeers {
  /** The key of the pod's ConfigMap with the desired number of pods. */
  private static final String REPLICAS = "replicas";

  @Override
  public List<RedisPeer> present() {
    return observed.all().stream()
        .filter(one -> one.getStatus().getPodIP() != null)
        .map(one -> new RedisPeer(one.getMetadata().getName(), one.getStatus().getPodIP(), port))
        .toList();
  }

  @Override
  public int expected() {
    // the key is missing when the App is being deleted and its ConfigMap is gone already
    return Integer.parseInt(config.data().getOrDefault(REPLICAS, "0"));
  }
}
