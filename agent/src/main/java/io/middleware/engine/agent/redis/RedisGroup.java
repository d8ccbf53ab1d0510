package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.util.HashMap;
import java.util.Optional;

/** The replication group of one pod: its own Redis, and the Redis of each other pod. */
public record RedisGroup(
    String pod, String host, int port, GroupPeers peers, RedisServers servers) {

  RedisServer self() {
    return servers.at(new Address(host, port));
  }

  /** The states of all pods that answer. */
  GroupSnapshot snapshot(ReplicationState own) {
    var states = new HashMap<>(new OtherPods(pod, peers, servers).states());
    states.put(new RedisPeer(pod, host, port), own);
    return new GroupSnapshot(pod, states);
  }

  /** Empty when the Redis at this address does not answer. */
  Optional<ReplicationState> stateOf(Address address) {
    return servers.stateOf(address);
  }
}
