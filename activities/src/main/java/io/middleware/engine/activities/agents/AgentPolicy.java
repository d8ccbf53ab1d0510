package io.middleware.engine.activities.agents;

import java.time.Duration;

/**
 * How patient the engine is with agents.
 *
 * @param deadline of one call
 * @param attempts calls made one after the other
 * @param maxReplyBytes greatest answer accepted
 */
public record AgentPolicy(Duration deadline, int attempts, int maxReplyBytes) {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

  public AgentPolicy {
    if (deadline.isNegative() || deadline.isZero() || attempts < 1 || maxReplyBytes < 1) {
      throw new IllegalArgumentException("agent policy must be positive: " + deadline);
    }
  }

  /** How long they take when nobody answers. */
  Duration allAttempts() {
    return deadline.multipliedBy(attempts);
  }

  /** The same for a question that is not worth a second call. */
  AgentPolicy once() {
    return new AgentPolicy(deadline, 1, maxReplyBytes);
  }

  /** The same for an action: an agent that acts says how far it is every 10 s at least. */
  public AgentPolicy forActions() {
    return new AgentPolicy(LONGEST_SILENCE, attempts, maxReplyBytes);
  }
}
