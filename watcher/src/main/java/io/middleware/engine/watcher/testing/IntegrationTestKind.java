package io.middleware.engine.watcher.testing;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestSpec;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.IntegrationTestStatusBuilder;
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
    return IntegrationTestStatusBuilder.builder().phase(phase).message(why).build();
  }

  @Override
  public IntegrationTestStatus saying(IntegrationTest test, String why) {
    return test.getStatus().withMessage(why);
  }

  @Override
  public IntegrationTestStatus ended(IntegrationTest test, End end, String at) {
    var before =
        Optional.ofNullable(test.getStatus())
            .orElseGet(() -> waiting(IntegrationTestStatus.PENDING, ""));
    return before
        .with()
        .phase(end.phase())
        .reason(end.reason().orElse(null))
        .message(end.why())
        .completedAt(at)
        .build();
  }
}
