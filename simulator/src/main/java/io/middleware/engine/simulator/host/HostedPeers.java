package io.middleware.engine.simulator.host;

import io.middleware.engine.agent.redis.Peer;
import io.middleware.engine.agent.redis.Peers;
import java.util.List;

/** The pods of a hosted pod's group, as they were last seen. */
record HostedPeers(SeenPods seen, PodConfig config, int port) implements Peers {
  /** Key of a ConfigMap of the pod that says how many pods the group is to have. */
  private static final String REPLICAS = "replicas";

  @Override
  public List<Peer> present() {
    return seen.all().stream()
        .filter(one -> one.getStatus().getPodIP() != null)
        .map(one -> new Peer(one.getMetadata().getName(), one.getStatus().getPodIP(), port))
        .toList();
  }

  @Override
  public int expected() {
    // without it: the App is being deleted, and its ConfigMap went first
    return Integer.parseInt(config.data().getOrDefault(REPLICAS, "0"));
  }
}
