package io.middleware.engine.watcher.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.watcher.request.RequestDecision.Check;
import io.middleware.engine.watcher.request.RequestDecision.End;
import io.middleware.engine.watcher.request.RequestDecision.Hold;
import io.middleware.engine.watcher.request.RequestDecision.Remove;
import io.middleware.engine.watcher.request.RequestDecision.Start;
import io.middleware.engine.watcher.request.RequestDecision.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestDecisionTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final RequestEnds ENDS = RequestEnds.of("Rejected", "something is left", "it is");

  private boolean readable = true;
  private Optional<Hold> held = Optional.empty();
  private boolean cancelled;
  private boolean begun;
  private Optional<Instant> endedAt = Optional.empty();
  private Optional<Duration> kept = RequestProgress.kept(Optional.of(60));

  @Test
  void shouldStartOneThatNobodyHasBegun() {
    assertThat(decision()).isEqualTo(new Start(Optional.empty()));
  }

  @Test
  void shouldNotStartOneThatIsHeld() {
    // Given
    var hold = new Hold("Suspended", "waits", Optional.empty());
    held = Optional.of(hold);
    // When Then
    assertThat(decision()).isEqualTo(hold);
    // but
    cancelled = true;
    assertThat(decision()).isInstanceOf(Check.class);
  }

  @Test
  void shouldLookForTheRunThatHasBegunIt() {
    // Given
    begun = true;
    // When Then
    assertThat(decision())
        .isEqualTo(
            new Check(
                false,
                new End(
                    "Failed",
                    Optional.of("RunLost"),
                    "its run ended without a result: it was terminated, or Temporal has lost it; "
                        + "something is left")));
  }

  @Test
  void shouldStopOneThatIsCancelled() {
    // Given
    begun = true;
    cancelled = true;
    // When Then
    assertThat(decision())
        .isEqualTo(
            new Check(
                true,
                new End("Cancelled", "its run no longer existed when it was cancelled; it is")));
  }

  /** Its run may be about to begin it. */
  @Test
  void shouldLookForARunBeforeItCancelsOneThatHasNotBegun() {
    // Given
    cancelled = true;
    // When Then
    assertThat(decision())
        .isEqualTo(new Check(true, new End("Cancelled", "it was cancelled before it began")));
  }

  @Test
  void shouldRemoveOneSomeTimeAfterItsEnd() {
    // Given
    endedAt = Optional.of(NOW.minusSeconds(20));
    // When Then
    assertThat(decision()).isEqualTo(new Wait(Optional.of(Duration.ofSeconds(40))));
    // and then
    endedAt = Optional.of(NOW.minusSeconds(60));
    assertThat(decision()).isEqualTo(new Remove());
  }

  @Test
  void shouldKeepOneForAWeekByDefault() {
    // Given
    endedAt = Optional.of(NOW);
    kept = RequestProgress.kept(Optional.empty());
    // When Then
    assertThat(decision()).isEqualTo(new Wait(Optional.of(Duration.ofDays(7))));
  }

  @Test
  void shouldKeepARecord() {
    // Given
    endedAt = Optional.of(Instant.EPOCH);
    kept = Optional.empty();
    // When Then
    assertThat(decision()).isEqualTo(new Wait(Optional.empty()));
  }

  @Test
  void shouldRejectOneWhoseSpecCannotBeRead() {
    // Given
    readable = false;
    // When Then
    assertThat(decision())
        .isEqualTo(
            new End(
                "Rejected",
                Optional.of("InvalidSpec"),
                "its spec cannot be read: it may need a newer engine"));
  }

  private RequestDecision decision() {
    return RequestDecision.of(
        new RequestProgress(readable, held, cancelled, begun, endedAt, kept), ENDS, NOW);
  }
}
