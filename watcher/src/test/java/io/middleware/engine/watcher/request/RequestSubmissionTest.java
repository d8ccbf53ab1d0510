package io.middleware.engine.watcher.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.testing.IntegrationTestKind;
import io.middleware.engine.watcher.testing.LoadTestKind;
import io.middleware.engine.watcher.testing.SampleTests;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestSubmissionTest {
  private final FakeRequestRuns<LoadTest> runs = new FakeRequestRuns<>();
  private final FakeRequests<LoadTest> objects = new FakeRequests<>();
  private final RequestSubmission<LoadTest, LoadTestStatus> submission =
      submission(new LoadTestKind(), runs, objects);

  @Test
  void shouldStartARunOnce() {
    // Given
    objects.live = SampleTests.loadTest();
    // When
    reconcile(objects.live);
    reconcile(objects.live);
    // Then
    assertThat(runs.told).containsExactly("start");
    assertThat(objects.live.getStatus().message()).isEqualTo("is about to begin");
    assertThat(objects.writes).isEqualTo(1);
  }

  @Test
  void shouldSayWhyItsRunHasNotBegunIt() {
    // Given
    objects.live = SampleTests.loadTest();
    reconcile(objects.live);
    runs.unbegun = Optional.of("no worker has been free");
    // When
    reconcile(objects.live);
    reconcile(objects.live);
    // Then
    assertThat(objects.live.getStatus().message())
        .isEqualTo("is about to begin: no worker has been free");
    assertThat(objects.writes).as("what is there is not written again").isEqualTo(2);
  }

  @Test
  void shouldStartNothingForOneThatHasEndedSinceItWasSeen() {
    // Given
    objects.live = SampleTests.ended(SampleTests.loadTest(), "2026-11-21T09:59:00Z");
    // When
    reconcile(SampleTests.loadTest());
    // Then
    assertThat(runs.told).isEmpty();
    assertThat(objects.writes).isZero();
  }

  @Test
  void shouldSayThatALoadWaitsForItsStep() {
    // Given
    objects.live = SampleTests.suspended();
    // When
    var next = reconcile(objects.live);
    var last = reconcile(objects.live);
    // Then
    assertThat(objects.live.getStatus().phase()).isEqualTo(LoadTestStatus.SUSPENDED);
    assertThat(next).as("another write may have come first").isPresent();
    assertThat(last).isEmpty();
    assertThat(objects.reads).as("what is there is not read again").isEqualTo(1);
    assertThat(runs.told).isEmpty();
  }

  @Test
  void shouldSayThatTemporalDoesNotAnswer() {
    // Given
    objects.live = SampleTests.loadTest();
    runs.unavailable = true;
    // When
    var next = reconcile(objects.live);
    // Then
    assertThat(objects.live.getStatus().message()).startsWith("Temporal does not answer: ");
    assertThat(next).contains(Duration.ofSeconds(2));
  }

  @Test
  void shouldFailWhenItsRunIsLost() {
    // Given
    objects.live = SampleTests.begun(SampleTests.loadTest());
    // When
    reconcile(objects.live);
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
    var tests = new FakeRequests<IntegrationTest>();
    tests.live = SampleTests.begun(SampleTests.integrationTest());
    // When
    submission(new IntegrationTestKind(), new FakeRequestRuns<>(), tests)
        .reconcile(tests.live, List::of);
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
    reconcile(SampleTests.begun(SampleTests.loadTest()));
    // Then
    assertThat(objects.writes).isZero();
  }

  @Test
  void shouldAskItsRunToStop() {
    // Given
    objects.live = SampleTests.cancelled(SampleTests.begun(SampleTests.loadTest()));
    runs.open = true;
    // When
    reconcile(objects.live);
    // Then
    assertThat(runs.told).containsExactly("cancel");
    assertThat(objects.live.hasEnded()).isFalse();
  }

  @Test
  void shouldCancelOneThatHasNotBegun() {
    // Given
    objects.live = SampleTests.cancelled(SampleTests.loadTest());
    // When
    reconcile(objects.live);
    // Then
    assertThat(runs.told).isEmpty();
    assertThat(objects.live.getStatus().phase()).isEqualTo(LoadTestStatus.CANCELLED);
  }

  @Test
  void shouldDeleteOneSomeTimeAfterItsEnd() {
    // Given
    objects.live = SampleTests.ended(SampleTests.loadTest(), "2026-11-21T09:58:00Z");
    // When
    reconcile(objects.live);
    // Then
    assertThat(objects.deleted).isTrue();
  }

  @Test
  void shouldStopTheRunOfOneThatIsDeleted() {
    // Given
    objects.live = SampleTests.deleted(SampleTests.begun(SampleTests.loadTest()));
    runs.open = true;
    // When
    reconcile(objects.live);
    // Then
    assertThat(runs.told).containsExactly("cancel");
    assertThat(submission.hasNoRun(objects.live)).isFalse();
    // and then
    runs.open = false;
    reconcile(objects.live);
    assertThat(submission.hasNoRun(objects.live)).isTrue();
  }

  @Test
  void shouldNeedNoAnswerToReleaseOneThatHasNoRun() {
    // Given
    runs.unavailable = true;
    // When Then
    assertThat(submission.hasNoRun(SampleTests.deleted(SampleTests.loadTest()))).isTrue();
    assertThat(
            submission.hasNoRun(
                SampleTests.deleted(
                    SampleTests.ended(SampleTests.loadTest(), "2026-11-21T09:58:00Z"))))
        .isTrue();
  }

  /** What it has created would be forgotten. */
  @Test
  void shouldNotReleaseOneWhileItIsUnknownWhetherItsRunIsOpen() {
    // Given
    objects.live = SampleTests.deleted(SampleTests.begun(SampleTests.loadTest()));
    runs.unavailable = true;
    // When
    var next = reconcile(objects.live);
    // Then
    assertThat(next).isPresent();
    assertThat(submission.hasNoRun(objects.live)).isFalse();
    assertThat(objects.live.getStatus().message())
        .startsWith("the deletion waits: Temporal does not answer: ");
    assertThat(objects.live.getStatus().checkCount()).isEqualTo(7);
  }

  private Optional<Duration> reconcile(LoadTest test) {
    return submission.reconcile(test, List::of);
  }

  private static <T extends CustomResource<?, S>, S> RequestSubmission<T, S> submission(
      RequestKind<T, S> kind, RequestRuns<T> runs, RequestObjects<T> objects) {
    var turns = RequestTurns.atOnce(kind, RequestEnds.of("Rejected", "", ""), runs);
    return new RequestSubmission<>(kind, turns, objects, new FakeClock());
  }
}
