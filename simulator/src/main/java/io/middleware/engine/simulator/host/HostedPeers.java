package io.middleware.engine.simulator.host;

import io.middleware.engine.agent.redis.RedisPeer;
import io.middleware.engine.agent.redis.GroupPeers;
import java.util.List;

/** The pods of a hosted pod's group, as they were last seen. */
record HostedPeers(ObservedPods seen, PodConfig config, int port) implements GroupPeers {
  /** Key of a ConfigMap of the pod that says how many pods the group is to have. */
  private static final String REPLICAS = "replicas";

  @Override
  public List<RedisPeer> present() {
    return seen.all().stream()
        .filter(one -> one.getStatus().getPodIP() != null)
        .map(one -> new RedisPeer(one.getMetadata().getName(), one.getStatus().getPodIP(), port))
        .toList();
  }

  @Override
  public int expected() {
    // without it: the App is being deleted, and its ConfigMap went first
    return Integer.parseInt(config.data().getOrDefault(REPLICAS, "0"));
  }
}
