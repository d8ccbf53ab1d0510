package io.middleware.engine.agent.redis;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.redis.ReplicationState.Link;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The Redis of each other pod in the replication group of one pod. A Redis of somebody else at the
 * address of a pod is not the Redis of that pod.
 */
public record OtherPods(RedisIdentity self, GroupPeers peers, RedisServers servers) {

  public String pod() {
    return self.pod();
  }

  /** The states of those that answer. */
  Map<RedisPeer, ReplicationState> states() {
    var others = present();
    var byAddress =
        servers.statesOf(
            others.stream().map(RedisPeer::address).toList(), RedisServers.ANSWER_TIMEOUT);
    Map<RedisPeer, ReplicationState> states = new HashMap<>();
    others.stream()
        .filter(peer -> byAddress.containsKey(peer.address()))
        .filter(peer -> isPod(peer, byAddress.get(peer.address())))
        .forEach(peer -> states.put(peer, byAddress.get(peer.address())));
    return states;
  }

  private boolean isPod(RedisPeer peer, ReplicationState state) {
    return !self.isKnown() || state.names().areOfPod(self.namespace(), peer);
  }

  /**
   * Whether one that answers has data, or has been in a group with a primary. UNAVAILABLE when one
   * is there and does not say, as while it loads its data.
   */
  public boolean haveData() {
    return present().stream().anyMatch(this::hasData);
  }

  private boolean hasData(RedisPeer peer) {
    try {
      var state = servers.at(peer.address()).replication();
      return isPod(peer, state)
          && (state.primary() || state.link() != Link.DOWN || !state.history().empty());
    } catch (StatusRuntimeException e) {
      if (RedisServers.isAbsent(e)) {
        return false;
      }
      throw Status.UNAVAILABLE
          .withDescription(
              "it is not known yet whether the group has data: " + e.getStatus().getDescription())
          .withCause(e)
          .asRuntimeException();
    }
  }

  private List<RedisPeer> present() {
    return peers.present().stream().filter(peer -> !peer.pod().equals(pod())).toList();
  }
}
