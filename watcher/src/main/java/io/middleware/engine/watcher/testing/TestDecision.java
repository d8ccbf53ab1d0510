package io.middleware.engine.watcher.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What to do about a test now. Nothing is remembered: its object says how far it is. */
sealed interface TestDecision {
  String CANCELLED = "Cancelled";
  String FAILED = "Failed";
  String REJECTED = "Rejected";

  /** Nothing is to be done before this time has passed, or something else happens. */
  record Wait(Duration next) implements TestDecision {}

  /** It waits until a step of an IntegrationTest names it. */
  record Suspend() implements TestDecision {}

  /** A run is to carry it out, if none is open. */
  record Start() implements TestDecision {}

  /**
   * Its run is looked for; without one, it ends so.
   *
   * @param cancel whether the run is asked to stop
   */
  record Check(boolean cancel, End lost) implements TestDecision {}

  /**
   * It ends without a run.
   *
   * @param reason one word
   */
  record End(String phase, Optional<String> reason, String why) implements TestDecision {}

  /** It has ended long ago, and is deleted. */
  record Remove() implements TestDecision {}

  static TestDecision of(TestProgress test, Instant now) {
    if (test.endedAt().isPresent()) {
      var left = Duration.between(now, test.endedAt().get().plus(test.kept()));
      return left.isPositive() ? new Wait(left) : new Remove();
    }
    if (test.begun()) {
      return new Check(test.cancelled(), test.cancelled() ? stopped() : lost());
    }
    if (!test.readable()) {
      return new End(
          REJECTED,
          Optional.of("InvalidSpec"),
          "its spec cannot be read: it may need a newer engine");
    }
    if (test.cancelled()) {
      return new Check(
          true, new End(CANCELLED, Optional.empty(), "it was cancelled before it began"));
    }
    return test.suspended() ? new Suspend() : new Start();
  }

  private static End lost() {
    return new End(
        FAILED,
        Optional.of("RunLost"),
        "its run ended without a result: it was terminated, or Temporal has lost it; "
            + "what it has created may still be there");
  }

  private static End stopped() {
    return new End(
        CANCELLED,
        Optional.empty(),
        "it was cancelled, and had no run any more; what it has created may still be there");
  }
}
