package io.middleware.engine.activities.testing;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.activities.testing.ChecksSeen.CheckSeen;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.api.testing.TestCheck;
import io.middleware.engine.api.testing.TestCheckResult;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.condition.UntilHolds;
import io.middleware.engine.planning.condition.UntilHolds.Decision;
import io.middleware.engine.planning.condition.Verdict;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * The checks of a step, which are carried out together. Each must begin to hold in time, and then
 * keep holding. The first that does not ends them all. While no check is possible, the time of the
 * checks stands still.
 */
final class StepChecks {
  private static final int LONGEST_ACTUAL = 1000;
  private static final int LONGEST_MESSAGE = 4000;

  private final List<Checked> checks = new ArrayList<>();
  private final InstantSource clock;
  private final Instant begin;
  private Instant looked;
  private Duration blind = Duration.ZERO;
  private Optional<Instant> blindSince = Optional.empty();

  /**
   * @param earlier what an attempt before has left
   */
  StepChecks(List<TestCheck> given, InstantSource clock, Optional<ChecksSeen> earlier) {
    this.clock = clock;
    this.begin = earlier.map(ChecksSeen::begin).orElseGet(clock::instant);
    this.looked = begin;
    given.forEach(check -> checks.add(new Checked(check, begin)));
    earlier.filter(seen -> seen.checks().size() == checks.size()).ifPresent(this::resume);
  }

  /** Nobody has looked since. */
  private void resume(ChecksSeen seen) {
    looked = seen.looked();
    blind = seen.blind();
    blindSince = Optional.of(looked);
    for (var i = 0; i < checks.size(); i++) {
      checks.get(i).resume(seen.checks().get(i), looked.minus(blind));
    }
  }

  /** For the next attempt. */
  ChecksSeen seen() {
    return new ChecksSeen(begin, looked, blind, checks.stream().map(Checked::seen).toList());
  }

  /**
   * Looks at those that are open.
   *
   * @param look gives the verdict on conditions
   * @return what does not hold yet, or not long enough; empty when all have passed
   * @throws ApplicationFailure with the type CHECK_FAILED when one has failed; another when the
   *     objects cannot be read
   */
  Optional<String> look(Function<TestConditions, Verdict> look) {
    decide(found(look));
    var failed = checks.stream().filter(Checked::hasFailed).map(Checked::failure).toList();
    if (!failed.isEmpty()) {
      throw ApplicationFailure.newNonRetryableFailure(
          String.join("; ", failed), TestReasons.CHECK_FAILED);
    }
    return missing();
  }

  /** All of them, before one of them counts. */
  private Map<Checked, Verdict> found(Function<TestConditions, Verdict> look) {
    var begin = clock.instant();
    try {
      var open = checks.stream().filter(Checked::isOpen).toList();
      var verdicts =
          TestConditions.atOnce(
              open.stream()
                  .<Callable<Verdict>>map(check -> () -> look.apply(check.conditions))
                  .toList());
      var found = new LinkedHashMap<Checked, Verdict>();
      for (var i = 0; i < open.size(); i++) {
        found.put(open.get(i), verdicts.get(i));
      }
      return found;
    } catch (ApplicationFailure e) {
      blindSince = blindSince.or(() -> Optional.of(begin));
      throw e;
    }
  }

  private void decide(Map<Checked, Verdict> found) {
    var now = clock.instant();
    blind = blind.plus(blindSince.map(since -> Duration.between(since, now)).orElse(Duration.ZERO));
    blindSince = Optional.empty();
    looked = now;
    found.forEach((check, verdict) -> check.decide(verdict, now, blind));
  }

  /** What is open, for people. */
  Optional<String> missing() {
    var open = checks.stream().filter(Checked::isOpen).map(Checked::message).toList();
    return open.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", open));
  }

  /** For the status. */
  List<TestCheckResult> results() {
    return checks.stream().map(Checked::result).toList();
  }

  /** Which of them there are, for people. */
  String names() {
    return checks.stream().map(check -> check.given.name()).collect(joining(", "));
  }

  private static final class Checked {
    private final TestCheck given;
    private final TestConditions conditions;
    private final UntilHolds patience;
    private Decision decision = Decision.OPEN;
    private Optional<Verdict> verdict = Optional.empty();
    private Instant at;

    Checked(TestCheck check, Instant begin) {
      this.given = check;
      this.conditions =
          TestConditions.of(ConditionScope.INTEGRATION_TEST, check.isOfAll(), check.conditions());
      this.patience =
          new UntilHolds(
              begin,
              SpecDurations.required(check.deadline()),
              SpecDurations.required(check.duration()));
      this.at = begin;
    }

    void decide(Verdict found, Instant now, Duration blind) {
      verdict = Optional.of(found);
      at = now;
      decision = patience.after(found, now.minus(blind));
    }

    void resume(CheckSeen seen, Instant looked) {
      decision = seen.decision();
      seen.since().ifPresent(since -> patience.resume(since, looked));
    }

    CheckSeen seen() {
      return new CheckSeen(decision, patience.since());
    }

    boolean isOpen() {
      return decision == Decision.OPEN;
    }

    boolean hasFailed() {
      return decision == Decision.FAILED;
    }

    private String found() {
      return verdict.map(Verdict::message).orElse("not looked at yet");
    }

    String message() {
      return "check %s: %s".formatted(given.name(), found());
    }

    String failure() {
      return "check %s did not hold within %s%s: %s"
          .formatted(
              given.name(),
              given.deadline(),
              given.duration().startsWith("0") ? "" : " for " + given.duration(),
              found());
    }

    TestCheckResult result() {
      var passed =
          switch (decision) {
            case OPEN -> null;
            case PASSED -> Boolean.TRUE;
            case FAILED -> Boolean.FALSE;
          };
      return new TestCheckResult(
          given.name(),
          passed,
          Excerpt.within(verdict.map(Verdict::found).orElse(null), LONGEST_ACTUAL),
          decision == Decision.PASSED ? null : Excerpt.within(found(), LONGEST_MESSAGE),
          Timestamp.of(at));
    }
  }
}
