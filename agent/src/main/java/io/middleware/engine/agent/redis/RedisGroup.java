package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The replication group of one pod: its own Redis and those of the other pods. */
public record RedisGroup(String pod, String host, int port, GroupPeers peers, RedisServers servers) {

  RedisServer self() {
    return servers.at(new Address(host, port));
  }

  /** What the pods that answer say of themselves. */
  GroupSnapshot look(ReplicationState mine) {
    var others = peers.present().stream().filter(peer -> !peer.pod().equals(pod)).toList();
    var answers = new HashMap<>(ask(others));
    answers.put(new RedisPeer(pod, host, port), mine);
    return new GroupSnapshot(pod, answers);
  }

  /** What one of them says, if it does. */
  Optional<ReplicationState> ask(Address address) {
    return servers.ask(address);
  }

  private Map<RedisPeer, ReplicationState> ask(List<RedisPeer> others) {
    var heard = servers.ask(others.stream().map(RedisPeer::address).toList(), RedisServers.PATIENCE);
    Map<RedisPeer, ReplicationState> answers = new HashMap<>();
    others.stream()
        .filter(peer -> heard.containsKey(peer.address()))
        .forEach(peer -> answers.put(peer, heard.get(peer.address())));
    return answers;
  }
}
