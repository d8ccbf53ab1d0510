package io.middleware.engine.activities.testing.load;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.testing.SpecDigest;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestSpec;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.api.testing.TestCheckResult;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.StatusUpdates;
import io.middleware.engine.workflows.testing.port.LoadRef;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCounts;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The statuses of LoadTests. Only the run that has begun a LoadTest writes there, until it has
 * ended. The load of a step has none, and nothing is written for it.
 */
final class LoadTestStatuses {
  private static final int LONGEST_MESSAGE = 8192;

  private final StatusUpdates<LoadTestSpec, LoadTestStatus, LoadTest> tests;
  private final KubernetesClient client;
  private final InstantSource clock;

  /**
   * @param client with the engine's own rights
   */
  LoadTestStatuses(KubernetesClient client, InstantSource clock) {
    this.tests = StatusUpdates.ofManyWriters(client, LoadTest.class, LoadTest::new);
    this.client = client;
    this.clock = clock;
  }

  /** The LoadTest as it is now; empty when it is gone, or cannot be read. */
  Optional<LoadTest> find(LoadRef load) {
    return tests
        .find(load.test().namespace(), load.test().name())
        .filter(test -> test.getSpec() != null && isSame(load, test));
  }

  /**
   * The LoadTest as it is now.
   *
   * @throws ApplicationFailure of kind SUPERSEDED when it is gone, or this run does not carry it
   *     out; with type INVALID_SPEC when it was edited since it had begun
   */
  LoadTest carriedOut(LoadRef load) {
    var test =
        find(load)
            .filter(it -> !load.hasStatus() || isOfRun(load, it))
            .orElseThrow(() -> superseded(load));
    if (load.specDigest().filter(digest -> !digest.equals(digest(test))).isPresent()) {
      throw ApplicationFailure.newNonRetryableFailure(
          "the spec was edited after the load had begun: create another LoadTest instead",
          TestReasons.INVALID_SPEC);
    }
    return test;
  }

  /** Stands for the spec. */
  String digest(LoadTest test) {
    return SpecDigest.of(client, test.getSpec());
  }

  /** A LoadTest of the same name that was created later is another one. */
  private static boolean isSame(LoadRef load, LoadTest test) {
    return !load.hasStatus() || load.test().uid().equals(test.getMetadata().getUid());
  }

  private static boolean isOfRun(LoadRef load, LoadTest test) {
    return isSame(load, test)
        && test.hasBegun()
        && !test.hasEnded()
        && load.test().runId().equals(test.getStatus().runId());
  }

  /** This run begins it. */
  void begin(LoadRef load) {
    if (load.hasStatus() && !hasTaken(load)) {
      throw superseded(load);
    }
  }

  private boolean hasTaken(LoadRef load) {
    return tests
        .write(
            load.test().namespace(),
            load.test().name(),
            test ->
                isOfRun(load, test) || mayBegin(load, test)
                    ? Optional.of(begun(load, test))
                    : Optional.empty())
        .isPresent();
  }

  /** One that is being deleted would be forgotten with its workload. */
  private static boolean mayBegin(LoadRef load, LoadTest test) {
    return isSame(load, test) && !test.hasEnded() && !test.isMarkedForDeletion();
  }

  private LoadTestStatus begun(LoadRef load, LoadTest test) {
    return isOfRun(load, test)
        ? test.getStatus()
        : before(test)
            .begun(load.test().workflowId(), load.test().runId(), Timestamp.of(clock.instant()));
  }

  void say(LoadRef load, String message) {
    write(load, status -> status.saying(Excerpt.within(message, LONGEST_MESSAGE)));
  }

  void found(LoadRef load, String target) {
    write(load, status -> status.on(target));
  }

  /**
   * The load has begun.
   *
   * @return when, by the first that has said so
   */
  Instant loaded(LoadRef load) {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return write(
            load,
            status ->
                status.loadStartedAt() == null
                    ? status.loaded("the load runs", now.toString())
                    : status)
        .map(status -> Instant.parse(status.loadStartedAt()))
        .orElse(now);
  }

  /** What is counted so far; empty for the load of a step. */
  Optional<LoadCounts> counts(LoadRef load) {
    return load.hasStatus() ? Optional.of(counts(carriedOut(load).getStatus())) : Optional.empty();
  }

  /** What the last check has found; empty for the load of a step. */
  List<TestCheckResult> lastResults(LoadRef load) {
    return load.hasStatus()
        ? Objects.requireNonNullElse(carriedOut(load).getStatus().lastResults(), List.of())
        : List.of();
  }

  private static LoadCounts counts(LoadTestStatus status) {
    return new LoadCounts(
        Objects.requireNonNullElse(status.passCount(), 0),
        Objects.requireNonNullElse(status.failCount(), 0),
        Objects.requireNonNullElse(status.consecutiveFailures(), 0),
        Optional.ofNullable(status.lastCheckedAt()).map(Instant::parse));
  }

  /**
   * Counts a check, once: another attempt of the same step may still count as well.
   *
   * @throws ApplicationFailure of kind CONFLICT when it has
   */
  void count(LoadRef load, LoadCounts before, LoadCounts after, List<TestCheckResult> results) {
    write(
        load,
        status -> {
          if (!counts(status).equals(before)) {
            throw Faults.of(FaultKind.CONFLICT, "a check was counted meanwhile");
          }
          return status.counted(
              after.passed(),
              after.failed(),
              after.consecutiveFailures(),
              after.lastCheckedAt().map(Instant::toString).orElse(null),
              results);
        });
  }

  /** Ends it, unless it is gone, or another run carries it out. */
  void end(LoadRef load, String phase, String reason, String why) {
    if (load.hasStatus()) {
      tests.write(
          load.test().namespace(),
          load.test().name(),
          test ->
              isSame(load, test) && mayEnd(load, test)
                  ? Optional.of(ended(load, test, phase, reason, why))
                  : Optional.empty());
    }
  }

  private static boolean mayEnd(LoadRef load, LoadTest test) {
    return !test.hasBegun() || isOfRun(load, test);
  }

  private LoadTestStatus ended(
      LoadRef load, LoadTest test, String phase, String reason, String why) {
    var now = Timestamp.of(clock.instant());
    return before(test)
        .begun(load.test().workflowId(), load.test().runId(), now)
        .ended(phase, reason.isEmpty() ? null : reason, Excerpt.within(why, LONGEST_MESSAGE), now);
  }

  private static LoadTestStatus before(LoadTest test) {
    return Optional.ofNullable(test.getStatus())
        .orElseGet(() -> LoadTestStatus.waiting(LoadTestStatus.PENDING, ""));
  }

  private Optional<LoadTestStatus> write(LoadRef load, UnaryOperator<LoadTestStatus> next) {
    if (!load.hasStatus()) {
      return Optional.empty();
    }
    var written =
        tests
            .write(
                load.test().namespace(),
                load.test().name(),
                test ->
                    isOfRun(load, test)
                        ? Optional.of(next.apply(test.getStatus()))
                        : Optional.empty())
            .orElseThrow(() -> superseded(load));
    return Optional.of(written.getStatus());
  }

  static RuntimeException superseded(LoadRef load) {
    return Faults.of(
        FaultKind.SUPERSEDED,
        "%s is gone, or this run does not carry it out any more".formatted(load));
  }
}
