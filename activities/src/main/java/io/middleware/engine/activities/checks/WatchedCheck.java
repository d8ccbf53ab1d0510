package io.middleware.engine.activities.checks;

import io.middleware.engine.cluster.status.CheckResultWriter.Decision;
import io.middleware.engine.planning.condition.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A check that is carried out again and again, and counts how often in a row it has not held. */
final class WatchedCheck {
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final String component;
  private final CompiledCheck check;
  private final Duration every;
  private final int threshold;
  private Instant next = Instant.MIN;
  private Optional<Verdict> last = Optional.empty();
  private int failures;

  /**
   * @param every how often; at least a second
   * @param threshold how many failures in a row are too many
   */
  WatchedCheck(String component, CompiledCheck check, Duration every, int threshold) {
    this.component = component;
    this.check = check;
    this.every = every.compareTo(SHORTEST) < 0 ? SHORTEST : every;
    this.threshold = threshold;
  }

  String component() {
    return component;
  }

  CompiledCheck check() {
    return check;
  }

  boolean isDue(Instant now) {
    return !now.isBefore(next);
  }

  Instant next() {
    return next;
  }

  /** Records a verdict. An unknown one neither counts as a failure nor ends a row of failures. */
  void found(Verdict verdict, Instant now) {
    last = Optional.of(verdict);
    next = now.plus(every);
    switch (verdict) {
      case Verdict.Holds(var actual) -> failures = 0;
      case Verdict.DoesNotHold(var actual, var why) -> failures++;
      case Verdict.NotKnown(var why) -> {}
    }
  }

  /** Nothing is known any more. */
  void forget() {
    last = Optional.empty();
    next = Instant.MIN;
    failures = 0;
  }

  /** Whether it did not hold at the last look that told. */
  boolean isFailing() {
    return failures > 0;
  }

  boolean hasFailed() {
    return failures >= threshold;
  }

  /** For people: which check of what has failed, and why. */
  String failure() {
    return "check %s of %s did not hold %d times in a row, every %s: %s"
        .formatted(check.name(), component, failures, DecidedCheck.inWords(every), message());
  }

  /** For people: what was found last. */
  String message() {
    return last.map(Verdict::message).orElse("looks");
  }

  /** For the status; empty before the first look. */
  Optional<Decision> decision() {
    return last.map(verdict -> decision(verdict));
  }

  private Decision decision(Verdict verdict) {
    var passed =
        switch (verdict) {
          case Verdict.Holds(var actual) -> Optional.of(true);
          case Verdict.DoesNotHold(var actual, var why) -> Optional.of(false);
          case Verdict.NotKnown(var why) -> Optional.<Boolean>empty();
        };
    return new Decision(
        check.name(),
        Optional.empty(),
        passed,
        verdict.found(),
        verdict instanceof Verdict.Holds ? Optional.empty() : Optional.of(verdict.message()),
        Optional.of(failures));
  }
}
