package io.middleware.engine.activities.agents;

import java.time.Duration;

/**
 * How patient the engine is with agents.
 *
 * @param deadline of one call
 * @param attempts calls made before nobody counts as able to answer
 * @param maxReplyBytes greatest answer accepted
 */
public record AgentPolicy(Duration deadline, int attempts, int maxReplyBytes) {
  public AgentPolicy {
    if (deadline.isNegative() || deadline.isZero() || attempts < 1 || maxReplyBytes < 1) {
      throw new IllegalArgumentException("agent policy must be positive: " + deadline);
    }
  }

  /** The same for a question that is not worth a second call. */
  public AgentPolicy once() {
    return new AgentPolicy(deadline, 1, maxReplyBytes);
  }
}
