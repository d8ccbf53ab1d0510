package io.middleware.engine.workflows.testing.port;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The steps of a load. Each may be repeated, and does its work once. All that is not the LoadTest
 * itself is read and written with the rights of the service account that the LoadTest names.
 *
 * <p>The steps write into the status of the LoadTest how far they are, unless it is the load of a
 * step. They fail with kind SUPERSEDED, which is final, when the LoadTest is gone, or another run
 * carries it out; and with {@link TestReasons#INVALID_SPEC} when its spec was edited since the load
 * had begun.
 */
@ActivityInterface
public interface LoadTestActivities {

  /**
   * Begins a LoadTest, after it has checked all that can be checked without the target. Writes
   * nothing but the status.
   */
  @ActivityMethod
  LoadBegun beginLoad(LoadRef load);

  /**
   * Waits until the target exists and is ready. Looks once a second, with growing pauses while the
   * API server does not answer. Heartbeats with what it waits for, and ends early when cancelled.
   *
   * <p>Fails with {@link TestReasons#TIMED_OUT} and the last actual values when the time is over,
   * and with {@link TestReasons#AMBIGUOUS_TARGET} when several objects fit.
   *
   * @return the target, for example {@code App cache}
   */
  @ActivityMethod
  LoadTargetFound awaitTarget(LoadWait wait);

  /**
   * Creates the workload, with values of the target in its pods. An object that an earlier run of
   * this LoadTest has left is deleted first; one that this run has created stays as it is.
   *
   * <p>Fails with {@link TestReasons#APPLY_REFUSED} when the API server refuses an object, or when
   * somebody else has one of this name; with {@link TestReasons#TIMED_OUT} when one of its Jobs and
   * controllers has had no pod that runs.
   *
   * @return when the load began: when all of them had
   */
  @ActivityMethod
  Instant createWorkload(LoadWork work);

  /**
   * Watches the load until its end, and checks what must hold meanwhile.
   *
   * <p>A check is made at each time of a grid that begins with the load: first after one interval.
   * It is counted once, when it is written into the status; the load of a step has the counts in
   * its heartbeats. A repeat goes on with these counts. Times of the grid that pass while nobody
   * checks, as no worker runs or the API server does not answer, are not counted. Of several that
   * have passed, only the newest is made up for.
   *
   * <p>Ends when all Jobs of the workload have completed, or the duration is over, or it is
   * cancelled: then it returns as well. Fails with {@link TestReasons#CHECK_FAILED} after too many
   * failures in a row, and with {@link TestReasons#WORKLOAD_FAILED} when a Job has failed.
   */
  @ActivityMethod
  LoadResult runLoad(LoadRun run);

  /**
   * Deletes what this run has created of the workload, and waits until it is gone.
   *
   * @return what is left, for people; empty when nothing is
   */
  @ActivityMethod
  String cleanUpLoad(LoadCleanUp cleanUp);

  /** Writes how the LoadTest has ended, unless it is gone, or another run carries it out. */
  @ActivityMethod
  void endLoad(LoadEnd end);

  /**
   * What is to be done.
   *
   * @param specDigest stands for the spec
   * @param account whose rights are used
   * @param workload its objects, in their order
   * @param readyTimeout time limit of the target
   * @param cleansUp whether the workload is deleted after a pass, or a cancel
   * @param cleansUpFailed whether it is deleted after a failure
   * @param refusal why there is no load; empty when there is one. The status says it too
   */
  record LoadBegun(
      String specDigest,
      String account,
      List<WorkloadObject> workload,
      Duration readyTimeout,
      boolean cleansUp,
      boolean cleansUpFailed,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TestRefusal> refusal) {
    public LoadBegun {
      workload = List.copyOf(workload);
    }

    /** That of a load that cannot begin. */
    public static LoadBegun refused(TestRefusal refusal) {
      return new LoadBegun("", "", List.of(), Duration.ZERO, false, false, Optional.of(refusal));
    }
  }

  /** An object of the workload. */
  record WorkloadObject(String apiVersion, String kind, String name) {}

  /** A target that is waited for. */
  record LoadWait(LoadRef load, Duration timeout) implements TestWork {
    @Override
    public TestRef test() {
      return load.test();
    }
  }

  /** The object that is put under load. */
  record LoadTargetFound(String apiVersion, String kind, String name) {
    /** For example {@code App cache}. */
    @Override
    public String toString() {
      return kind + " " + name;
    }
  }

  /** A workload that is to be created. */
  record LoadWork(LoadRef load, LoadTargetFound target) implements TestWork {
    @Override
    public TestRef test() {
      return load.test();
    }
  }

  /**
   * A load that has begun.
   *
   * @param begun when it began
   */
  record LoadRun(LoadRef load, LoadTargetFound target, Instant begun) implements TestWork {
    @Override
    public TestRef test() {
      return load.test();
    }
  }

  /**
   * The counts of checks.
   *
   * @param consecutiveFailures checks that did not hold, in a row, up to the last one
   * @param lastCheckedAt the time of the grid of the last check; empty until there is one
   */
  record LoadCounts(
      int passed,
      int failed,
      int consecutiveFailures,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Instant> lastCheckedAt) {
    /** Before the first check. */
    public static final LoadCounts NONE = new LoadCounts(0, 0, 0, Optional.empty());

    /** The same after one more check. */
    public LoadCounts with(boolean holds, Instant at) {
      return new LoadCounts(
          holds ? passed + 1 : passed,
          holds ? failed : failed + 1,
          holds ? 0 : consecutiveFailures + 1,
          Optional.of(at));
    }

    /** Whether there was one check only, and it did not hold. */
    public boolean hasOnlyFailed() {
      return passed == 0 && failed == 1;
    }

    /** All checks. */
    public int checks() {
      return passed + failed;
    }

    /** For people, for example {@code 120 checks: 118 held, 2 did not}. */
    @Override
    public String toString() {
      return "%d checks: %d held, %d did not".formatted(checks(), passed, failed);
    }
  }

  /**
   * How a load has ended that has not failed.
   *
   * @param stopped whether it was cancelled
   * @param why for people
   */
  record LoadResult(LoadCounts counts, boolean stopped, String why) {}

  /** A workload that is to be deleted. */
  record LoadCleanUp(LoadRef load, String account, List<WorkloadObject> workload)
      implements TestWork {
    public LoadCleanUp {
      workload = List.copyOf(workload);
    }

    @Override
    public TestRef test() {
      return load.test();
    }
  }

  /**
   * How a LoadTest has ended.
   *
   * @param phase one of the phases of an end
   * @param reason one word; empty when it has passed or was cancelled
   * @param why for people
   */
  record LoadEnd(LoadRef load, String phase, String reason, String why) implements TestWork {
    @Override
    public TestRef test() {
      return load.test();
    }
  }
}
