package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestSpec;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.watcher.testing.TestDecision.End;
import java.time.Instant;
import java.util.Optional;

/** {@inheritDoc} */
final class IntegrationTests implements TestKind<IntegrationTest> {

  @Override
  public Class<IntegrationTest> type() {
    return IntegrationTest.class;
  }

  @Override
  public TestProgress progress(IntegrationTest test) {
    var spec = Optional.ofNullable(test.getSpec());
    return new TestProgress(
        spec.isPresent(),
        false,
        test.isCancelled(),
        test.hasBegun(),
        Optional.ofNullable(test.getStatus())
            .map(IntegrationTestStatus::completedAt)
            .map(Instant::parse),
        TestProgress.kept(spec.map(IntegrationTestSpec::ttlSecondsAfterFinished)));
  }

  @Override
  public boolean putWaiting(IntegrationTest test, String phase, String why) {
    var next = waiting(phase, why);
    var differs = !next.equals(test.getStatus());
    test.setStatus(next);
    return differs;
  }

  @Override
  public boolean putMessage(IntegrationTest test, String why) {
    var now = test.getStatus();
    var next = with(now, now.phase(), now.reason(), why, now.completedAt());
    test.setStatus(next);
    return !next.equals(now);
  }

  @Override
  public void putEnd(IntegrationTest test, End end, String at) {
    var before =
        Optional.ofNullable(test.getStatus())
            .orElseGet(() -> waiting(IntegrationTestStatus.PENDING, ""));
    test.setStatus(with(before, end.phase(), end.reason().orElse(null), end.why(), at));
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

  private static IntegrationTestStatus waiting(String phase, String why) {
    return new IntegrationTestStatus(
        phase, why, null, null, null, null, null, null, null, null, null, null, null, null);
  }
}
