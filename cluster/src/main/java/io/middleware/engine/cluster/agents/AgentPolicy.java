package io.middleware.engine.cluster.agents;

import java.time.Duration;

/**
 * How long and how often the engine asks agents.
 *
 * @param deadline of one call
 * @param attempts least number of calls that must fail before the engine gives up
 * @param maxReplyBytes size of the largest accepted answer
 * @param patience for how long the engine asks again, with growing pauses, before it gives up
 * @param hurry deadline of a call that other work waits for, if {@code deadline} is not shorter
 */
public record AgentPolicy(
    Duration deadline, int attempts, int maxReplyBytes, Duration patience, Duration hurry) {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);
  private static final Duration HURRY = Duration.ofMillis(400);

  public AgentPolicy {
    if (deadline.isNegative() || deadline.isZero() || attempts < 1 || maxReplyBytes < 1) {
      throw new IllegalArgumentException("agent policy must be positive: " + deadline);
    }
  }

  /** A policy whose calls that other work waits for are over within a second. */
  public AgentPolicy(Duration deadline, int attempts, int maxReplyBytes, Duration patience) {
    this(deadline, attempts, maxReplyBytes, patience, HURRY);
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

  /** A single attempt, in a hurry. */
  AgentPolicy brief() {
    var shorter = deadline.compareTo(hurry) < 0 ? deadline : hurry;
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
