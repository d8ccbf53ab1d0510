package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestSpec;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.watcher.cache.TestingCacheTransform;
import io.middleware.engine.watcher.request.RequestDecision.End;
import io.middleware.engine.watcher.request.RequestDecision.Hold;
import io.middleware.engine.watcher.request.RequestKind;
import io.middleware.engine.watcher.request.RequestProgress;
import java.time.Instant;
import java.util.Optional;

/** How far LoadTests are, as they say. */
public final class LoadTestKind implements RequestKind<LoadTest, LoadTestStatus> {
  private static final Hold SUSPENDED =
      new Hold(
          LoadTestStatus.SUSPENDED,
          "begins as the load of a step of an IntegrationTest",
          Optional.empty());

  @Override
  public Class<LoadTest> type() {
    return LoadTest.class;
  }

  @Override
  public String finalizer() {
    return Labels.TEST;
  }

  @Override
  public RequestProgress progress(LoadTest test) {
    var spec = Optional.ofNullable(test.getSpec());
    return new RequestProgress(
        spec.isPresent(),
        spec.filter(LoadTestSpec::isSuspended).map(suspended -> SUSPENDED),
        test.isCancelled(),
        test.hasBegun(),
        Optional.ofNullable(test.getStatus()).map(LoadTestStatus::completedAt).map(Instant::parse),
        RequestProgress.kept(spec.map(LoadTestSpec::ttlSecondsAfterFinished)));
  }

  @Override
  public void reduce(LoadTest test) {
    TestingCacheTransform.reduce(test);
  }

  @Override
  public LoadTestStatus waiting(String phase, String why) {
    return LoadTestStatus.waiting(phase, why);
  }

  @Override
  public LoadTestStatus saying(LoadTest test, String why) {
    return test.getStatus().saying(why);
  }

  @Override
  public LoadTestStatus ended(LoadTest test, End end, String at) {
    return Optional.ofNullable(test.getStatus())
        .orElseGet(() -> waiting(LoadTestStatus.PENDING, ""))
        .ended(end.phase(), end.reason().orElse(null), end.why(), at);
  }
}
