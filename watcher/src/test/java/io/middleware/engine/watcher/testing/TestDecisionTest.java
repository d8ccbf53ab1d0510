package io.middleware.engine.watcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.watcher.testing.TestDecision.Check;
import io.middleware.engine.watcher.testing.TestDecision.End;
import io.middleware.engine.watcher.testing.TestDecision.Remove;
import io.middleware.engine.watcher.testing.TestDecision.Start;
import io.middleware.engine.watcher.testing.TestDecision.Suspend;
import io.middleware.engine.watcher.testing.TestDecision.Wait;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TestDecisionTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  @Test
  void shouldStartOneThatNobodyHasBegun() {
    assertThat(decision(SampleTests.loadTest())).isEqualTo(new Start());
    assertThat(TestDecision.of(integrationTest(false), NOW)).isEqualTo(new Start());
  }

  @Test
  void shouldLeaveALoadToTheStepThatNamesIt() {
    assertThat(decision(SampleTests.suspended())).isEqualTo(new Suspend());
  }

  @Test
  void shouldLookForTheRunThatHasBegunIt() {
    assertThat(decision(SampleTests.begun(SampleTests.loadTest())))
        .isInstanceOfSatisfying(
            Check.class,
            check -> {
              assertThat(check.cancel()).isFalse();
              assertThat(check.lost().phase()).isEqualTo("Failed");
              assertThat(check.lost().reason()).contains("RunLost");
            });
    assertThat(TestDecision.of(integrationTest(true), NOW)).isInstanceOf(Check.class);
  }

  @Test
  void shouldStopOneThatIsCancelled() {
    // Given
    var test = SampleTests.cancelled(SampleTests.begun(SampleTests.loadTest()));
    // When Then
    assertThat(decision(test))
        .isInstanceOfSatisfying(
            Check.class,
            check -> {
              assertThat(check.cancel()).isTrue();
              assertThat(check.lost().phase()).isEqualTo("Cancelled");
            });
  }

  /** Its run may be about to begin it. */
  @Test
  void shouldLookForARunBeforeItCancelsOneThatHasNotBegun() {
    assertThat(decision(SampleTests.cancelled(SampleTests.loadTest())))
        .isInstanceOfSatisfying(
            Check.class,
            check -> {
              assertThat(check.cancel()).isTrue();
              assertThat(check.lost().why()).isEqualTo("it was cancelled before it began");
            });
  }

  @Test
  void shouldCancelOneThatIsSuspended() {
    // Given
    var test = SampleTests.deleted(SampleTests.suspended());
    // When Then
    assertThat(decision(test)).isInstanceOf(Check.class);
  }

  @Test
  void shouldRemoveOneSomeTimeAfterItsEnd() {
    // Given
    var test = SampleTests.ended(SampleTests.loadTest(), "2026-11-21T09:59:40Z");
    // When Then
    assertThat(decision(test)).isEqualTo(new Wait(Duration.ofSeconds(40)));
    assertThat(TestDecision.of(new LoadTests().progress(test), NOW.plusSeconds(40)))
        .isEqualTo(new Remove());
  }

  @Test
  void shouldKeepOneWhoseSpecCannotBeReadForAWeek() {
    // Given
    var test = SampleTests.ended(SampleTests.loadTest(), "2026-11-21T10:00:00Z");
    test.setSpec(null);
    // When Then
    assertThat(decision(test)).isEqualTo(new Wait(Duration.ofDays(7)));
  }

  @Test
  void shouldRejectOneWhoseSpecCannotBeRead() {
    // Given
    var test = SampleTests.loadTest();
    test.setSpec(null);
    // When Then
    assertThat(decision(test))
        .isInstanceOfSatisfying(End.class, end -> assertThat(end.phase()).isEqualTo("Rejected"));
  }

  private static TestProgress integrationTest(boolean begun) {
    var test = SampleTests.integrationTest();
    return new IntegrationTests().progress(begun ? SampleTests.begun(test) : test);
  }

  private static TestDecision decision(LoadTest test) {
    return TestDecision.of(new LoadTests().progress(test), NOW);
  }
}
