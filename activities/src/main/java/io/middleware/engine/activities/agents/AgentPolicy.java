package io.middleware.engine.activities.agents;

import java.time.Duration;

/**
 * How long and how often the engine asks agents.
 *
 * @param deadline of one call
 * @param attempts number of calls made one after the other
 * @param maxReplyBytes size of the largest accepted answer
 */
public record AgentPolicy(Duration deadline, int attempts, int maxReplyBytes) {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

  public AgentPolicy {
    if (deadline.isNegative() || deadline.isZero() || attempts < 1 || maxReplyBytes < 1) {
      throw new IllegalArgumentException("agent policy must be positive: " + deadline);
    }
  }

  /** The duration of all attempts when no agent answers. */
  Duration allAttempts() {
    return deadline.multipliedBy(attempts);
  }

  /** The same policy with a single attempt. */
  AgentPolicy once() {
    return new AgentPolicy(deadline, 1, maxReplyBytes);
  }

  /** The same policy for actions, whose agents report progress at least every 10 s. */
  public AgentPolicy forActions() {
    return new AgentPolicy(LONGEST_SILENCE, attempts, maxReplyBytes);
  }
}
