package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A replication group as the agent of a Sentinel observes it at one moment.
 *
 * @param present all pods of the group, whether they answer or not
 * @param states of the pods that answer
 * @param strangers where a Redis answers that does not belong to the group, although Sentinel or
 *     the Service names its address
 */
record ObservedGroup(
    Set<Address> present, Map<Address, ReplicationState> states, Set<Address> strangers) {

  ObservedGroup {
    present = Set.copyOf(present);
    states = Map.copyOf(states);
    strangers = Set.copyOf(strangers);
  }

  /** The primary that all other answering pods follow. */
  Optional<Address> primary() {
    return states.keySet().stream().filter(this::isAgreed).findFirst();
  }

  /**
   * The actual primary, when the one that Sentinel monitors is certainly not primary: it reports so
   * itself, it no longer exists, or it does not answer while a second pod confirms the primary. If
   * only one pod answers, the monitored pod may have writes which that pod lacks.
   */
  Optional<Address> correctedPrimary(Address monitored) {
    var isCertain =
        states.containsKey(monitored) || !present.contains(monitored) || states.size() > 1;
    return primary().filter(agreed -> isCertain && !agreed.equals(monitored));
  }

  boolean isComplete() {
    return states.keySet().containsAll(present);
  }

  private boolean isAgreed(Address primary) {
    return states.get(primary).primary()
        && states.entrySet().stream()
            .filter(one -> !one.getKey().equals(primary))
            .allMatch(one -> one.getValue().follows(primary));
  }
}
