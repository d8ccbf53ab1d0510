package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestSpec;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.watcher.cache.TestingCacheTransform;
import io.middleware.engine.watcher.request.RequestDecision.End;
import io.middleware.engine.watcher.request.RequestKind;
import io.middleware.engine.watcher.request.RequestProgress;
import java.time.Instant;
import java.util.Optional;

/** How far IntegrationTests are, as they say. */
public final class IntegrationTestKind
    implements RequestKind<IntegrationTest, IntegrationTestStatus> {

  @Override
  public Class<IntegrationTest> type() {
    return IntegrationTest.class;
  }

  @Override
  public String finalizer() {
    return Labels.TEST;
  }

  @Override
  public RequestProgress progress(IntegrationTest test) {
    var spec = Optional.ofNullable(test.getSpec());
    return new RequestProgress(
        spec.isPresent(),
        Optional.empty(),
        test.isCancelled(),
        test.hasBegun(),
        Optional.ofNullable(test.getStatus())
            .map(IntegrationTestStatus::completedAt)
            .map(Instant::parse),
        RequestProgress.kept(spec.map(IntegrationTestSpec::ttlSecondsAfterFinished)));
  }

  @Override
  public void reduce(IntegrationTest test) {
    TestingCacheTransform.reduce(test);
  }

  @Override
  public IntegrationTestStatus waiting(String phase, String why) {
    return new IntegrationTestStatus(
        phase, why, null, null, null, null, null, null, null, null, null, null, null, null);
  }

  @Override
  public IntegrationTestStatus saying(IntegrationTest test, String why) {
    var now = test.getStatus();
    return with(now, now.phase(), now.reason(), why, now.completedAt());
  }

  @Override
  public IntegrationTestStatus ended(IntegrationTest test, End end, String at) {
    var before =
        Optional.ofNullable(test.getStatus())
            .orElseGet(() -> waiting(IntegrationTestStatus.PENDING, ""));
    return with(before, end.phase(), end.reason().orElse(null), end.why(), at);
  }

  private static IntegrationTestStatus with(
      IntegrationTestStatus before, String phase, String reason, String message, String end) {
    return new IntegrationTestStatus(
        phase,
        message,
        reason,
        before.round(),
        before.progress(),
        before.step(),
        before.passed(),
        before.failed(),
        before.workflowId(),
        before.runId(),
        before.startedAt(),
        end,
        before.steps(),
        before.rounds());
  }
}
