package io.middleware.engine.watcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.cache.TestingCacheTransform;
import io.middleware.engine.watcher.request.RequestReconciler;
import io.middleware.engine.watcher.request.RequestSubmissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TestKindsTest {
  private final FakeClock clock = new FakeClock();
  private final RequestReconciler<LoadTest> reconciler =
      new TestReconcilers(new RequestSubmissions(null, null, clock), "", clock).loadTests();

  @Test
  void shouldLeaveALoadToTheStepThatNamesIt() {
    assertThat(new LoadTestKind().progress(SampleTests.suspended()).held())
        .hasValueSatisfying(hold -> assertThat(hold.phase()).isEqualTo("Suspended"));
    assertThat(new LoadTestKind().progress(SampleTests.loadTest()).held()).isEmpty();
  }

  @Test
  void shouldCancelOneThatIsDeleted() {
    // Given
    var test = SampleTests.deleted(SampleTests.suspended());
    // When Then
    assertThat(new LoadTestKind().progress(test).cancelled()).isTrue();
  }

  @Test
  void shouldKeepOneWhoseSpecCannotBeReadForAWeek() {
    // Given
    var test = SampleTests.loadTest();
    test.setSpec(null);
    // When
    var progress = new LoadTestKind().progress(test);
    // Then
    assertThat(progress.readable()).isFalse();
    assertThat(progress.kept()).contains(Duration.ofDays(7));
  }

  /** The cache holds no manifests. */
  @Test
  void shouldKnowFromTheCacheHowFarATestIs() {
    // Given
    var load = SampleTests.begun(SampleTests.loadTest());
    var test = SampleTests.begun(SampleTests.integrationTest());
    var progressOfLoad = new LoadTestKind().progress(load);
    var progressOfTest = new IntegrationTestKind().progress(test);
    // When
    TestingCacheTransform.reduce(load);
    TestingCacheTransform.reduce(test);
    // Then
    assertThat(new LoadTestKind().progress(load)).isEqualTo(progressOfLoad);
    assertThat(new IntegrationTestKind().progress(test)).isEqualTo(progressOfTest);
    assertThat(load.getSpec().serviceAccountName()).isNull();
    assertThat(test.getSpec().steps()).isNull();
  }

  /** A run writes its counts every second. */
  @Test
  void shouldOnlyLookAtUpdatesThatMatter() {
    // Given
    var before = SampleTests.begun(SampleTests.loadTest());
    // When Then
    assertThat(reconciler.differs(SampleTests.begun(SampleTests.loadTest()), before)).isFalse();
    assertThat(reconciler.differs(SampleTests.cancelled(before), before)).isTrue();
    assertThat(
            reconciler.differs(
                SampleTests.ended(SampleTests.loadTest(), "2026-11-21T09:58:00Z"), before))
        .isTrue();
  }

  /** Without them it would neither begin nor go. */
  @Test
  void shouldLookAtTheFinalizerAndTheDeletion() {
    // Given
    var cancelled = SampleTests.cancelled(SampleTests.begun(SampleTests.loadTest()));
    var held = SampleTests.cancelled(cancelled);
    held.addFinalizer("middleware.io/test");
    var deleted = SampleTests.deleted(SampleTests.cancelled(cancelled));
    // When Then
    assertThat(reconciler.differs(held, cancelled)).isTrue();
    assertThat(reconciler.differs(deleted, cancelled)).isTrue();
  }
}
