package io.middleware.engine.agent.redis;

import io.grpc.Status;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Names;
import java.util.HashMap;
import java.util.Optional;

/**
 * The replication group of one pod: its own Redis, and the Redis of each other pod. A Redis that
 * names another pod, or none, does not belong to the group, whatever its address is.
 */
public record RedisGroup(
    RedisIdentity identity, String host, int port, GroupPeers peers, RedisServers servers) {

  /** What is at an address. */
  sealed interface Answer {
    record Member(ReplicationState state) implements Answer {}

    record Stranger(Names names) implements Answer {}

    record Silence() implements Answer {}
  }

  String pod() {
    return identity.pod();
  }

  RedisServer self() {
    return servers.at(new Address(host, port));
  }

  /**
   * The state of the own Redis.
   *
   * @throws io.grpc.StatusRuntimeException UNAVAILABLE also when the Redis at the address of this
   *     pod belongs to somebody else
   */
  ReplicationState own() {
    var state = self().replication();
    if (identity.isKnown() && !isOwn(state.names())) {
      throw Status.UNAVAILABLE
          .withDescription(
              "the Redis at %s does not belong to pod %s, but to %s"
                  .formatted(self().address(), identity, owner(state.names())))
          .asRuntimeException();
    }
    return state;
  }

  /** The states of all pods that answer. */
  GroupSnapshot snapshot(ReplicationState own) {
    var states = new HashMap<>(new OtherPods(identity, peers, servers).states());
    states.put(new RedisPeer(pod(), host, port), own);
    return new GroupSnapshot(pod(), states);
  }

  /** Empty when no Redis of the group answers at this address. */
  Optional<ReplicationState> stateOf(Address address) {
    return answerAt(address) instanceof Answer.Member(var state)
        ? Optional.of(state)
        : Optional.empty();
  }

  Answer answerAt(Address address) {
    return servers
        .stateOf(address)
        .<Answer>map(
            state ->
                isMember(address, state.names())
                    ? new Answer.Member(state)
                    : new Answer.Stranger(state.names()))
        .orElseGet(Answer.Silence::new);
  }

  /** For people. */
  static String owner(Names names) {
    return names.identity().map(RedisIdentity::toString).orElse("nobody that it names");
  }

  private boolean isMember(Address address, Names names) {
    return !identity.isKnown()
        || names.areOfGroup(identity.namespace(), identity.set(), address)
            && (names.identity().isPresent() || mayBePeer(address));
  }

  /** Without DNS nobody is known to be one, and nobody not to be one. */
  private boolean mayBePeer(Address address) {
    var present = peers.present();
    return present.isEmpty() || present.stream().map(RedisPeer::address).anyMatch(address::equals);
  }

  private boolean isOwn(Names names) {
    return names.identity().map(identity::equals).orElseGet(() -> names.announced().equals(host));
  }
}
