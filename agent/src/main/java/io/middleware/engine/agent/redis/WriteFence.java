package io.middleware.engine.agent.redis;

import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes one Redis refuse the writes of clients for a while, with NOREPLICAS. All else goes on, as
 * far as Sentinels see: {@code CLIENT PAUSE} also holds up their greetings, so they would take the
 * primary for dead.
 *
 * <p>{@code min-replicas-to-write} gets a number that no group can have. It holds the value of
 * before and the minute of its end, so an agent that has just started knows both. A Redis that
 * starts again has none. See {@link GroupMembership}, which lifts one that is over.
 */
record WriteFence(RedisServer redis, InstantSource clock) {
  private static final String PARAMETER = "min-replicas-to-write";

  /**
   * Many more replicas than a Redis may have; the minutes since 1970 take until 2160 to reach it.
   */
  private static final int UNIT = 100_000_000;

  /** The largest number that Redis takes is 21 units. */
  private static final int LARGEST_BEFORE = 20;

  private static final int MINUTE = 60;

  /** What a fence is made of. */
  private record Value(int before, long untilMinute) {
    static Optional<Value> parse(int number) {
      return number < UNIT
          ? Optional.empty()
          : Optional.of(new Value(number / UNIT - 1, number % UNIT));
    }

    long number() {
      return (before + 1L) * UNIT + untilMinute;
    }
  }

  /**
   * Refuses writes from now on, up to a minute longer than this; one that is there is prolonged.
   */
  void raise(Duration atLeast) {
    var number = number();
    var now = Value.parse(number);
    prolong(now.map(Value::before).orElse(Math.min(number, LARGEST_BEFORE)), now, atLeast);
  }

  /**
   * @throws io.grpc.StatusRuntimeException UNAVAILABLE when writes were taken meanwhile
   */
  void prolong(Duration atLeast) {
    var now = Value.parse(number());
    if (now.isEmpty()) {
      throw Status.UNAVAILABLE
          .withDescription(
              "Redis %s took writes while it made its data durable".formatted(redis.address()))
          .asRuntimeException();
    }
    prolong(now.get().before(), now, atLeast);
  }

  /** Lets Redis take writes again; without a fence it does nothing. */
  void lift() {
    Value.parse(number()).ifPresent(this::lift);
  }

  /** Lifts a fence whose agent has died, or whose time is over. */
  void liftWhenOver() {
    Value.parse(number())
        .filter(value -> value.untilMinute() < minute(now()))
        .ifPresent(this::lift);
  }

  /** Why Redis refuses writes for want of replicas; a fence is none of these reasons. */
  Optional<String> missingReplicas() {
    var number = number();
    var good = redis.info("replication").get("min_slaves_good_slaves");
    return good == null || number >= UNIT || Integer.parseInt(good) >= number
        ? Optional.empty()
        : Optional.of(
            "NOREPLICAS %s of %d replicas (%s) are connected and report in time"
                .formatted(good, number, PARAMETER));
  }

  private void lift(Value value) {
    redis.setParameters(Map.of(PARAMETER, String.valueOf(value.before())));
  }

  private void prolong(int before, Optional<Value> now, Duration atLeast) {
    var next = new Value(before, minute(now().plus(atLeast)));
    if (now.filter(value -> value.untilMinute() >= next.untilMinute()).isEmpty()) {
      redis.setParameters(Map.of(PARAMETER, String.valueOf(next.number())));
    }
  }

  private int number() {
    return Integer.parseInt(redis.parameters(List.of(PARAMETER)).getOrDefault(PARAMETER, "0"));
  }

  private Instant now() {
    return clock.instant();
  }

  private static long minute(Instant time) {
    return time.getEpochSecond() / MINUTE;
  }
}
