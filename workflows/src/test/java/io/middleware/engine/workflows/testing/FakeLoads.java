package io.middleware.engine.workflows.testing;

import io.middleware.engine.workflows.testing.port.LoadRef;
import io.middleware.engine.workflows.testing.port.LoadTestActivities;
import io.middleware.engine.workflows.testing.port.TestRefusal;
import io.temporal.activity.Activity;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** Loads on the App cache, which are checked seven times; notes what is asked of it. */
final class FakeLoads implements LoadTestActivities {
  private static final LoadCounts COUNTS =
      new LoadCounts(5, 2, 0, Optional.of(Instant.parse("2026-11-26T10:00:07Z")));

  final List<String> calls = new CopyOnWriteArrayList<>();
  final List<LoadRef> begun = new CopyOnWriteArrayList<>();

  /** What happens at a call; by default nothing. */
  final ConcurrentHashMap<String, Runnable> at = new ConcurrentHashMap<>();

  volatile Optional<TestRefusal> refusal = Optional.empty();
  volatile boolean cleansUp = true;
  volatile boolean cleansUpFailed = true;
  volatile String left = "";

  @Override
  public LoadBegun beginLoad(LoadRef load) {
    begun.add(load);
    call("begin");
    return new LoadBegun(
        "digest-1",
        "tester",
        List.of(new WorkloadObject("batch/v1", "Job", "bench")),
        Duration.ofMinutes(1),
        cleansUp,
        cleansUpFailed,
        refusal);
  }

  @Override
  public LoadTargetFound awaitTarget(LoadWait wait) {
    call("await");
    return new LoadTargetFound("middleware.io/v1", "App", "cache");
  }

  @Override
  public Instant createWorkload(LoadWork work) {
    call("create");
    return Instant.parse("2026-11-26T10:00:00Z");
  }

  /** Ends by a cancel as the real one does: it returns what it has counted. */
  @Override
  public LoadResult runLoad(LoadRun run) {
    try {
      call("run");
      return new LoadResult(COUNTS, false, "all Jobs of the workload have completed");
    } catch (ActivityCanceledException e) {
      return new LoadResult(COUNTS, true, "it was stopped");
    }
  }

  @Override
  public String cleanUpLoad(LoadCleanUp cleanUp) {
    call("clean up as %s: %s".formatted(cleanUp.account(), cleanUp.workload().getFirst().name()));
    return left;
  }

  @Override
  public void endLoad(LoadEnd end) {
    call("end %s %s: %s".formatted(end.phase(), end.reason(), end.why()));
  }

  private void call(String what) {
    calls.add(what);
    at.getOrDefault(what, () -> {}).run();
  }

  static Runnable fails(String reason, String why) {
    return () -> {
      throw ApplicationFailure.newNonRetryableFailure(why, reason);
    };
  }

  /** Ends only when it is cancelled. */
  static void hangs() {
    while (true) {
      Activity.getExecutionContext().heartbeat("waiting");
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
