package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A replication group as a Sentinel's agent sees it at one moment.
 *
 * @param present all pods that it has, whether they answer or not
 * @param answers what those say of themselves that do
 */
record ObservedGroup(Set<Address> present, Map<Address, ReplicationState> answers) {

  ObservedGroup {
    present = Set.copyOf(present);
    answers = Map.copyOf(answers);
  }

  /** The one primary that all who answer are, or follow. */
  Optional<Address> primary() {
    return answers.keySet().stream().filter(this::isAgreed).findFirst();
  }

  /**
   * The primary, where a Sentinel that takes this one for it is wrong for certain: that says so
   * itself, or is gone, or is silent while another pod follows the primary. Where it is silent and
   * nobody else is heard, it may have writes that the only one lacks.
   */
  Optional<Address> insteadOf(Address watched) {
    var wrong = answers.containsKey(watched) || !present.contains(watched) || answers.size() > 1;
    return primary().filter(agreed -> wrong && !agreed.equals(watched));
  }

  boolean isComplete() {
    return answers.keySet().containsAll(present);
  }

  private boolean isAgreed(Address primary) {
    return answers.get(primary).primary()
        && answers.entrySet().stream()
            .filter(one -> !one.getKey().equals(primary))
            .allMatch(one -> one.getValue().follows(primary));
  }
}
