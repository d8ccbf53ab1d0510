package io.middleware.engine.activities.agents;

import java.time.Duration;

/**
 * How long and how often the engine asks agents.
 *
 * @param deadline of one call
 * @param attempts least number of calls that must fail before the engine gives up
 * @param maxReplyBytes size of the largest accepted answer
 * @param patience for how long the engine asks again, with growing pauses, before it gives up
 */
public record AgentPolicy(Duration deadline, int attempts, int maxReplyBytes, Duration patience) {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

  /** Of a call that other work waits for. */
  private static final Duration BRIEF = Duration.ofMillis(400);

  public AgentPolicy {
    if (deadline.isNegative() || deadline.isZero() || attempts < 1 || maxReplyBytes < 1) {
      throw new IllegalArgumentException("agent policy must be positive: " + deadline);
    }
  }

  /** A policy without patience. */
  public AgentPolicy(Duration deadline, int attempts, int maxReplyBytes) {
    this(deadline, attempts, maxReplyBytes, Duration.ZERO);
  }

  /** The duration of all attempts when no agent answers. */
  Duration allAttempts() {
    return deadline.multipliedBy(attempts);
  }

  /** The same policy with a single attempt. */
  AgentPolicy once() {
    return new AgentPolicy(deadline, 1, maxReplyBytes);
  }

  /** A single attempt that is over within a second. */
  AgentPolicy brief() {
    var shorter = deadline.compareTo(BRIEF) < 0 ? deadline : BRIEF;
    return new AgentPolicy(shorter, 1, maxReplyBytes);
  }

  /** The same policy without patience. */
  AgentPolicy impatient() {
    return new AgentPolicy(deadline, attempts, maxReplyBytes);
  }

  /** The same policy for actions, whose agents report progress at least every 10 s. */
  public AgentPolicy forActions() {
    return new AgentPolicy(LONGEST_SILENCE, attempts, maxReplyBytes);
  }
}
