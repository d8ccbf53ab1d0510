package io.middleware.engine.activities.testing.load;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.activities.testing.TestConditions;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.api.testing.LoadChecks;
import io.middleware.engine.api.testing.LoadTestSpec;
import io.middleware.engine.api.testing.TestCheckResult;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.condition.Verdict;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCounts;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadRun;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Checks what must hold while a load runs, and knows when its duration is over. */
final class LoadChecking {
  private static final int DEFAULT_THRESHOLD = 3;
  private static final int LONGEST_ACTUAL = 1024;
  private static final int LONGEST_MESSAGE = 4096;

  private final LoadRun run;
  private final LoadSite site;
  private final LoadTestStatuses statuses;
  private final InstantSource clock;
  private final Optional<LoadChecks> checks;
  private final Optional<Instant> end;

  LoadChecking(LoadRun run, LoadSite site, LoadTestStatuses statuses, InstantSource clock) {
    this.run = run;
    this.site = site;
    this.statuses = statuses;
    this.clock = clock;
    this.checks = Optional.ofNullable(site.spec().checks());
    this.end = SpecDurations.parse(site.spec().duration()).map(run.begun()::plus);
  }

  private LoadTestSpec spec() {
    return site.spec();
  }

  /** What is counted so far, as the status says; empty for the load of a step. */
  Optional<LoadCounts> counts() {
    return statuses.counts(run.load());
  }

  /** Why the load is over by then; empty when it is not. */
  Optional<String> over(Instant now) {
    return end.filter(it -> !now.isBefore(it))
        .map(it -> "its duration of %s is over".formatted(spec().duration()));
  }

  /** When something is to be done next; empty when only the Jobs know. */
  Optional<Instant> next(Instant now) {
    return Stream.concat(grid().map(it -> it.after(now)).stream(), end.stream())
        .filter(now::isBefore)
        .min(Instant::compareTo);
  }

  private Optional<CheckGrid> grid() {
    return checks.map(it -> new CheckGrid(run.begun(), LoadProblems.every(it), end));
  }

  /**
   * Makes the check that is due, if one is, and counts it.
   *
   * @return what is counted by then
   * @throws ApplicationFailure with type CHECK_FAILED after too many failures in a row
   */
  LoadCounts check(LoadCounts before, Instant now) {
    requireBelowThreshold(before, List.of());
    var due = grid().flatMap(grid -> grid.due(now, before.lastCheckedAt()));
    return due.isEmpty() ? before : check(before, due.get(), checks.orElseThrow());
  }

  /**
   * Makes a check, and counts it, if the load ends well before the first one: what was never
   * checked has not passed.
   *
   * @throws ApplicationFailure with type CHECK_FAILED when it does not hold
   */
  LoadCounts lastCheck(LoadCounts before, Instant now) {
    var last =
        before.checks() > 0 || checks.isEmpty()
            ? new Counted(before, List.of())
            : counted(before, now, checks.get());
    if (last.after().hasOnlyFailed()) {
      throw failure("its only check did not hold", last.after(), last.results());
    }
    return last.after();
  }

  /** The same for one that is stopped, as far as the API server answers. */
  LoadCounts checkedOnce(LoadCounts before) {
    try {
      return before.checks() > 0 || checks.isEmpty()
          ? before
          : counted(before, clock.instant(), checks.get()).after();
    } catch (ApplicationFailure e) {
      return before;
    }
  }

  private LoadCounts check(LoadCounts before, Instant due, LoadChecks wanted) {
    var counted = counted(before, due, wanted);
    requireBelowThreshold(counted.after(), counted.results());
    return counted.after();
  }

  private Counted counted(LoadCounts before, Instant at, LoadChecks wanted) {
    var verdicts = verdicts(wanted);
    var verdict = Verdict.of(wanted.isOfAll(), verdicts);
    var results = results(wanted, verdicts);
    var after = before.with(verdict instanceof Verdict.Holds, at.truncatedTo(ChronoUnit.MILLIS));
    statuses.count(run.load(), before, after, results);
    return new Counted(after, results);
  }

  /** A check that is counted. */
  private record Counted(LoadCounts after, List<TestCheckResult> results) {}

  /** What cannot be told does not hold: nothing has shown that it does. */
  private List<Verdict> verdicts(LoadChecks wanted) {
    var target = site.read(run.target());
    var conditions =
        TestConditions.of(ConditionScope.LOAD_TEST, wanted.isOfAll(), wanted.conditions());
    return target.isPresent()
        ? conditions.verdicts(site.sources(target.get()))
        : conditions.conditions().stream()
            .<Verdict>map(it -> new Verdict.DoesNotHold("", run.target() + " is gone"))
            .toList();
  }

  private List<TestCheckResult> results(LoadChecks wanted, List<Verdict> verdicts) {
    var place = wanted.isOfAll() ? "allOf" : "anyOf";
    var at = Timestamp.of(clock.instant());
    return IntStream.range(0, verdicts.size())
        .mapToObj(i -> result("%s[%d]".formatted(place, i), verdicts.get(i), at))
        .toList();
  }

  private static TestCheckResult result(String name, Verdict verdict, String at) {
    var holds = verdict instanceof Verdict.Holds;
    return new TestCheckResult(
        name,
        holds,
        Excerpt.within(verdict.found(), LONGEST_ACTUAL),
        holds ? null : Excerpt.within(verdict.message(), LONGEST_MESSAGE),
        at);
  }

  /**
   * An attempt that has counted the last failure may have ended before it could say so.
   *
   * @param results of the last check; empty when the status has them
   */
  private void requireBelowThreshold(LoadCounts now, List<TestCheckResult> results) {
    if (checks.isEmpty() || now.consecutiveFailures() < threshold(checks.get())) {
      return;
    }
    throw failure(
        "it did not hold %d times in a row".formatted(now.consecutiveFailures()), now, results);
  }

  private ApplicationFailure failure(String what, LoadCounts now, List<TestCheckResult> results) {
    var last = results.isEmpty() ? statuses.lastResults(run.load()) : results;
    var why =
        last.stream()
            .map(TestCheckResult::message)
            .filter(Objects::nonNull)
            .distinct()
            .collect(joining("; "));
    return ApplicationFailure.newNonRetryableFailure(
        "%s: %s: %s; %s".formatted(run.target(), what, why, now), TestReasons.CHECK_FAILED);
  }

  private static int threshold(LoadChecks checks) {
    return Objects.requireNonNullElse(checks.failureThreshold(), DEFAULT_THRESHOLD);
  }
}
