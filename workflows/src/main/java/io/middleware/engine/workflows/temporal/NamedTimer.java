package io.middleware.engine.workflows.temporal;

import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.function.Supplier;

/** A pause whose purpose the Web UI shows. */
public final class NamedTimer {
  private NamedTimer() {}

  /**
   * Pauses.
   *
   * @param purpose at most 200 bytes, for people
   * @throws io.temporal.failure.CanceledFailure when the scope is cancelled meanwhile
   */
  public static void await(Duration pause, String purpose) {
    start(pause, purpose).get();
  }

  /**
   * Waits for the condition, but not longer than the pause.
   *
   * @param purpose at most 200 bytes, for people
   * @return whether the condition holds; otherwise the pause is over
   * @throws io.temporal.failure.CanceledFailure when the scope is cancelled meanwhile
   */
  public static boolean await(Duration longest, String purpose, Supplier<Boolean> condition) {
    var timer = start(longest, purpose);
    Workflow.await(() -> timer.isCompleted() || condition.get());
    if (!timer.isCompleted()) {
      return true;
    }
    timer.get();
    return false;
  }

  private static Promise<Void> start(Duration pause, String purpose) {
    return Workflow.newTimer(pause, TimerOptions.newBuilder().setSummary(purpose).build());
  }

  /** For example {@code 5 min}, {@code 1 min 30 s} or {@code 400 ms}. */
  public static String format(Duration duration) {
    if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return duration.toMillis() + " ms";
    }
    var parts = new ArrayList<String>();
    if (duration.toHours() > 0) {
      parts.add(duration.toHours() + " h");
    }
    if (duration.toMinutesPart() > 0) {
      parts.add(duration.toMinutesPart() + " min");
    }
    if (duration.toSecondsPart() > 0) {
      parts.add(duration.toSecondsPart() + " s");
    }
    return String.join(" ", parts);
  }
}
