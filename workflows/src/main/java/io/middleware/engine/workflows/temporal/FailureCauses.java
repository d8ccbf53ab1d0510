package io.middleware.engine.workflows.temporal;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.failure.TerminatedFailure;
import io.temporal.failure.TimeoutFailure;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the informative failure in a chain of wrappers. */
public final class FailureCauses {
  private FailureCauses() {}

  /** Whether the root cause is a cancel, also when a child workflow reports it as a failure. */
  public static boolean isCancel(Throwable failure) {
    return find(failure, CanceledFailure.class).isPresent();
  }

  /** The cause, as reason and message. */
  public static Fault explain(TemporalFailure failure) {
    return find(failure, ApplicationFailure.class)
        .map(FailureCauses::application)
        .or(
            () ->
                find(failure, TerminatedFailure.class)
                    .map(c -> new Fault("Terminated", "the workflow of this step was terminated")))
        .or(() -> find(failure, TimeoutFailure.class).map(FailureCauses::timedOut))
        .orElseGet(() -> new Fault(FaultKind.UNAVAILABLE.label(), failure.getOriginalMessage()));
  }

  /** The same failure without its wrappers: they add no information, and each level adds one. */
  public static RuntimeException clean(TemporalFailure failure) {
    if (isCancel(failure)) {
      return failure;
    }
    var fault = explain(failure);
    var clean = ApplicationFailure.newNonRetryableFailure(fault.message(), fault.reason());
    clean.setStackTrace(new StackTraceElement[0]);
    return clean;
  }

  /**
   * The type of an unexpected exception is the name of its class, which is not a documented reason.
   */
  private static Fault application(ApplicationFailure failure) {
    var type = String.valueOf(failure.getType());
    return type.chars().allMatch(Character::isLetter)
        ? new Fault(type, failure.getOriginalMessage())
        : new Fault(
            FaultKind.INTERNAL.label(),
            "%s: %s; see the worker's log".formatted(type, failure.getOriginalMessage()));
  }

  private static Fault timedOut(TimeoutFailure timeout) {
    return new Fault(
        FaultKind.UNAVAILABLE.label(),
        "a step did not finish in time (%s); its last heartbeat: %s"
            .formatted(
                timeout.getTimeoutType(),
                timeout.getLastHeartbeatDetails().getSize() > 0
                    ? timeout.getLastHeartbeatDetails().get(String.class)
                    : "none"));
  }

  private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst();
  }
}
