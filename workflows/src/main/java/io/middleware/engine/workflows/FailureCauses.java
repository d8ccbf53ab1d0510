package io.middleware.engine.workflows;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.failure.TerminatedFailure;
import io.temporal.failure.TimeoutFailure;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds in a chain of failures the one that says something. */
final class FailureCauses {
  private FailureCauses() {}

  /** Whether a cancel is at the bottom of it, also when a child reports it as a failure. */
  static boolean isCancel(Throwable failure) {
    return find(failure, CanceledFailure.class).isPresent();
  }

  /** Why, as reason and message. */
  static Fault explain(TemporalFailure failure) {
    return find(failure, ApplicationFailure.class)
        .map(FailureCauses::said)
        .or(
            () ->
                find(failure, TerminatedFailure.class)
                    .map(c -> new Fault("Terminated", "the workflow of this step was terminated")))
        .or(() -> find(failure, TimeoutFailure.class).map(FailureCauses::timedOut))
        .orElseGet(() -> new Fault(FaultKind.UNAVAILABLE.label(), failure.getOriginalMessage()));
  }

  /** The same failure with nothing around it: wrappers say nothing and grow at each level. */
  static RuntimeException clean(TemporalFailure failure) {
    if (isCancel(failure)) {
      return failure;
    }
    var fault = explain(failure);
    var clean = ApplicationFailure.newNonRetryableFailure(fault.message(), fault.reason());
    clean.setStackTrace(new StackTraceElement[0]);
    return clean;
  }

  /** What is thrown unawares has the name of a class for a type, which is no reason to show. */
  private static Fault said(ApplicationFailure failure) {
    var type = String.valueOf(failure.getType());
    return type.chars().allMatch(Character::isLetter)
        ? new Fault(type, failure.getOriginalMessage())
        : new Fault(
            FaultKind.INTERNAL.label(),
            "%s: %s; the worker's log has more".formatted(type, failure.getOriginalMessage()));
  }

  private static Fault timedOut(TimeoutFailure timeout) {
    return new Fault(
        FaultKind.UNAVAILABLE.label(),
        "a step did not answer in time (%s); last seen: %s"
            .formatted(
                timeout.getTimeoutType(),
                timeout.getLastHeartbeatDetails().getSize() > 0
                    ? timeout.getLastHeartbeatDetails().get(String.class)
                    : "nothing"));
  }

  private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst();
  }
}
