package io.middleware.engine.workflows.testing;

import io.middleware.engine.workflows.testing.port.TestRefusal;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TemporalFailure;
import java.util.Optional;

/** A round that does not begin, as a failure of its run. */
final class RefusedRound {
  private RefusedRound() {}

  static ApplicationFailure failure(TestRefusal refusal) {
    return ApplicationFailure.newNonRetryableFailure(
        refusal.message(), refusal.reason(), refusal.phase());
  }

  /** Empty when it is another failure. */
  static Optional<TestRefusal> refusal(TemporalFailure failure) {
    return failure instanceof ApplicationFailure refused && refused.getDetails().getSize() == 1
        ? Optional.of(
            new TestRefusal(
                refused.getDetails().get(String.class),
                refused.getType(),
                refused.getOriginalMessage()))
        : Optional.empty();
  }
}
