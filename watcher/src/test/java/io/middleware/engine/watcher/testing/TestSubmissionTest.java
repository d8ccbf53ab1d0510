package io.middleware.engine.watcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.watcher.TestClock;
import io.middleware.engine.watcher.cache.TestCacheTransform;
import io.middleware.engine.watcher.change.TemporalUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TestSubmissionTest {
  private final FakeRuns<LoadTest> runs = new FakeRuns<>();
  private final FakeObjects<LoadTest> objects = new FakeObjects<>();
  private final TestSubmission<LoadTest> submission =
      new TestSubmission<>(new LoadTests(), runs, objects, new TestClock());

  @Test
  void shouldStartARunOnce() {
    // Given
    objects.live = SampleTests.loadTest();
    // When
    submission.reconcile(objects.live);
    submission.reconcile(objects.live);
    // Then
    assertThat(runs.told).containsExactly("start");
    assertThat(objects.live.getStatus().message()).isEqualTo("is about to begin");
    assertThat(objects.writes).isEqualTo(1);
  }

  @Test
  void shouldStartNothingForOneThatHasEndedSinceItWasSeen() {
    // Given
    objects.live = SampleTests.ended(SampleTests.loadTest(), "2026-11-21T09:59:00Z");
    // When
    submission.reconcile(SampleTests.loadTest());
    // Then
    assertThat(runs.told).isEmpty();
    assertThat(objects.writes).isZero();
  }

  @Test
  void shouldSayThatALoadWaitsForItsStep() {
    // Given
    objects.live = SampleTests.suspended();
    // When
    var next = submission.reconcile(objects.live);
    var last = submission.reconcile(objects.live);
    // Then
    assertThat(objects.live.getStatus().phase()).isEqualTo(LoadTestStatus.SUSPENDED);
    assertThat(next).as("another write may have come first").isPresent();
    assertThat(last).isEmpty();
    assertThat(runs.told).isEmpty();
  }

  @Test
  void shouldSayThatTemporalDoesNotAnswer() {
    // Given
    objects.live = SampleTests.loadTest();
    runs.unavailable = true;
    // When
    var next = submission.reconcile(objects.live);
    // Then
    assertThat(objects.live.getStatus().message()).startsWith("Temporal does not answer: ");
    assertThat(next).contains(Duration.ofSeconds(2));
  }

  @Test
  void shouldFailWhenItsRunIsLost() {
    // Given
    objects.live = SampleTests.begun(SampleTests.loadTest());
    // When
    submission.reconcile(objects.live);
    // Then
    var status = objects.live.getStatus();
    assertThat(status.phase()).isEqualTo(LoadTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("RunLost");
    assertThat(status.completedAt()).isEqualTo("2026-11-21T10:00:00Z");
    assertThat(status.checkCount()).as("what it has found stays").isEqualTo(7);
  }

  @Test
  void shouldKeepTheRoundsOfATestWhoseRunIsLost() {
    // Given
    var tests = new FakeObjects<IntegrationTest>();
    tests.live = SampleTests.begun(SampleTests.integrationTest());
    var runsOfTests = new FakeRuns<IntegrationTest>();
    // When
    new TestSubmission<>(new IntegrationTests(), runsOfTests, tests, new TestClock())
        .reconcile(tests.live);
    // Then
    assertThat(tests.live.getStatus().phase()).isEqualTo("Failed");
    assertThat(tests.live.getStatus().progress()).isEqualTo("3/20");
    assertThat(tests.live.getStatus().passed()).isEqualTo(2);
  }

  /** What the watcher has seen may be older than the end of the run. */
  @Test
  void shouldNotOverwriteHowItsRunHasEndedIt() {
    // Given
    objects.live = SampleTests.ended(SampleTests.loadTest(), "2026-11-21T09:59:59Z");
    // When
    submission.reconcile(SampleTests.begun(SampleTests.loadTest()));
    // Then
    assertThat(objects.writes).isZero();
  }

  @Test
  void shouldAskItsRunToStop() {
    // Given
    objects.live = SampleTests.cancelled(SampleTests.begun(SampleTests.loadTest()));
    runs.open = true;
    // When
    submission.reconcile(objects.live);
    // Then
    assertThat(runs.told).containsExactly("cancel");
    assertThat(objects.live.hasEnded()).isFalse();
  }

  @Test
  void shouldCancelOneThatHasNotBegun() {
    // Given
    objects.live = SampleTests.cancelled(SampleTests.loadTest());
    // When
    submission.reconcile(objects.live);
    // Then
    assertThat(runs.told).isEmpty();
    assertThat(objects.live.getStatus().phase()).isEqualTo(LoadTestStatus.CANCELLED);
  }

  @Test
  void shouldDeleteOneSomeTimeAfterItsEnd() {
    // Given
    objects.live = SampleTests.ended(SampleTests.loadTest(), "2026-11-21T09:58:00Z");
    // When
    submission.reconcile(objects.live);
    // Then
    assertThat(objects.deleted).isTrue();
  }

  @Test
  void shouldReleaseOneWhenItsRunHasStopped() {
    // Given
    objects.live = SampleTests.deleted(SampleTests.begun(SampleTests.loadTest()));
    runs.open = true;
    // When Then
    assertThat(submission.remove(objects.live)).isPresent();
    assertThat(runs.told).containsExactly("cancel");
    // and then
    runs.open = false;
    assertThat(submission.remove(objects.live)).isEmpty();
  }

  @Test
  void shouldReleaseAtOnceOneThatHasNoRun() {
    // Given
    runs.unavailable = true;
    // When Then
    assertThat(submission.remove(SampleTests.deleted(SampleTests.loadTest()))).isEmpty();
    assertThat(
            submission.remove(
                SampleTests.deleted(
                    SampleTests.ended(SampleTests.loadTest(), "2026-11-21T09:58:00Z"))))
        .isEmpty();
  }

  /** What it has created would be forgotten. */
  @Test
  void shouldNotReleaseOneWhileItIsUnknownWhetherItsRunIsOpen() {
    // Given
    objects.live = SampleTests.deleted(SampleTests.begun(SampleTests.loadTest()));
    runs.unavailable = true;
    // When Then
    assertThat(submission.remove(objects.live)).isPresent();
    assertThat(objects.live.getStatus().message())
        .startsWith("the deletion waits: Temporal does not answer: ");
    assertThat(objects.live.getStatus().checkCount()).isEqualTo(7);
  }

  /** The cache holds no manifests. */
  @Test
  void shouldKnowFromTheCacheHowFarATestIs() {
    // Given
    var load = SampleTests.begun(SampleTests.loadTest());
    var test = SampleTests.begun(SampleTests.integrationTest());
    var progressOfLoad = new LoadTests().progress(load);
    var progressOfTest = new IntegrationTests().progress(test);
    // When
    TestCacheTransform.reduce(load);
    TestCacheTransform.reduce(test);
    // Then
    assertThat(new LoadTests().progress(load)).isEqualTo(progressOfLoad);
    assertThat(new IntegrationTests().progress(test)).isEqualTo(progressOfTest);
    assertThat(load.getSpec().serviceAccountName()).isNull();
    assertThat(test.getSpec().steps()).isNull();
  }

  /** A run writes its counts every second. */
  @Test
  void shouldOnlyLookAtUpdatesThatMatter() {
    // Given
    var before = SampleTests.begun(SampleTests.loadTest());
    // When Then
    assertThat(submission.differs(SampleTests.begun(SampleTests.loadTest()), before)).isFalse();
    assertThat(submission.differs(SampleTests.cancelled(before), before)).isTrue();
    assertThat(
            submission.differs(
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
    assertThat(submission.differs(held, cancelled)).isTrue();
    assertThat(submission.differs(deleted, cancelled)).isTrue();
  }

  private static final class FakeRuns<T extends HasMetadata> implements TestRuns<T> {
    final List<String> told = new ArrayList<>();
    boolean open;
    boolean unavailable;

    @Override
    public boolean start(T test) {
      answer();
      if (open) {
        return false;
      }
      told.add("start");
      open = true;
      return true;
    }

    @Override
    public boolean isOpen(T test) {
      answer();
      return open;
    }

    @Override
    public void cancel(T test) {
      answer();
      told.add("cancel");
    }

    private void answer() {
      if (unavailable) {
        throw new TemporalUnavailableException("unavailable", null);
      }
    }
  }

  private static final class FakeObjects<T extends HasMetadata> implements ObservedTests<T> {
    T live;
    int writes;
    boolean deleted;

    @Override
    public Optional<T> live(T seen) {
      return Optional.of(live);
    }

    @Override
    public void writeStatus(T now) {
      writes++;
    }

    @Override
    public void delete(T seen) {
      deleted = true;
    }
  }
}
