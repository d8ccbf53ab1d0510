package io.middleware.engine.agent.command;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.PodMaintenance;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Asks for the role of a pod regularly, and remembers the last answer for a short while. */
final class RoleWatch implements PodMaintenance {
  private final Supplier<PrintedRole> question;
  private final long oldestNanos;
  private final LongSupplier nanoTime;
  private volatile Answer last;

  private sealed interface Answer {
    long askedAt();
  }

  private record Known(PrintedRole role, long askedAt) implements Answer {}

  private record Unknown(StatusRuntimeException why, long askedAt) implements Answer {}

  /**
   * @param question fails with a status when the role is not known
   * @param oldest the age of an answer that is given again
   */
  RoleWatch(Supplier<PrintedRole> question, Duration oldest, LongSupplier nanoTime) {
    this.question = question;
    this.oldestNanos = oldest.toNanos();
    this.nanoTime = nanoTime;
  }

  @Override
  public boolean maintain() {
    return ask(nanoTime.getAsLong()) instanceof Known;
  }

  /** The remembered answer, or a new one when that is too old. */
  PrintedRole recent() {
    var answer = last;
    var now = nanoTime.getAsLong();
    return roleOf(answer == null || now - answer.askedAt() > oldestNanos ? ask(now) : answer);
  }

  /** The answer to a question that is asked from now on. */
  PrintedRole now() {
    return roleOf(ask(nanoTime.getAsLong()));
  }

  /** What is remembered may be true no longer. */
  synchronized void forget() {
    last = null;
  }

  private static PrintedRole roleOf(Answer answer) {
    return switch (answer) {
      case Known(var role, var at) -> role;
      case Unknown(var why, var at) -> throw why.getStatus().asRuntimeException();
    };
  }

  /**
   * One question at a time, whose answer serves all that wait for it.
   *
   * @param since when the caller began to wait
   */
  private synchronized Answer ask(long since) {
    if (last == null || last.askedAt() - since < 0) {
      var now = nanoTime.getAsLong();
      try {
        last = new Known(question.get(), now);
      } catch (StatusRuntimeException e) {
        last = new Unknown(e, now);
      }
    }
    return last;
  }
}
