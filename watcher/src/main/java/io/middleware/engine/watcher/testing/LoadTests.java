package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestSpec;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.watcher.testing.TestDecision.End;
import java.time.Instant;
import java.util.Optional;

/** {@inheritDoc} */
final class LoadTests implements TestKind<LoadTest> {

  @Override
  public Class<LoadTest> type() {
    return LoadTest.class;
  }

  @Override
  public TestProgress progress(LoadTest test) {
    var spec = Optional.ofNullable(test.getSpec());
    return new TestProgress(
        spec.isPresent(),
        spec.map(LoadTestSpec::isSuspended).orElse(false),
        test.isCancelled(),
        test.hasBegun(),
        Optional.ofNullable(test.getStatus()).map(LoadTestStatus::completedAt).map(Instant::parse),
        TestProgress.kept(spec.map(LoadTestSpec::ttlSecondsAfterFinished)));
  }

  @Override
  public boolean putWaiting(LoadTest test, String phase, String why) {
    var next = LoadTestStatus.waiting(phase, why);
    var differs = !next.equals(test.getStatus());
    test.setStatus(next);
    return differs;
  }

  @Override
  public boolean putMessage(LoadTest test, String why) {
    var next = test.getStatus().saying(why);
    var differs = !next.equals(test.getStatus());
    test.setStatus(next);
    return differs;
  }

  @Override
  public void putEnd(LoadTest test, End end, String at) {
    var before =
        Optional.ofNullable(test.getStatus())
            .orElseGet(() -> LoadTestStatus.waiting(LoadTestStatus.PENDING, ""));
    test.setStatus(before.ended(end.phase(), end.reason().orElse(null), end.why(), at));
  }
}
