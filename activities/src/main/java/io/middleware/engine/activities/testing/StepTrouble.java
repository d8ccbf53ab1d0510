package io.middleware.engine.activities.testing;

import com.google.common.base.Suppliers;
import io.middleware.engine.process.pods.ObjectEvents;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Adds to what a step of a test waits for why the pods behind it do not run. */
final class StepTrouble {
  /** A step looks every second; what pods wait for changes less often. */
  private static final Duration BETWEEN_READS = Duration.ofSeconds(3);

  private final Supplier<Optional<String>> trouble;

  StepTrouble(StepScene scene, ObjectEvents events) {
    var pods = new TestPods(scene.objects(), events);
    this.trouble = Suppliers.memoizeWithExpiration(() -> pods.trouble(scene.all()), BETWEEN_READS);
  }

  /**
   * @param missing what the step looks for
   * @throws ApplicationFailure of that look; a check that has failed says it as well
   */
  Optional<String> with(Supplier<Optional<String>> missing) {
    try {
      return missing.get().map(this::with);
    } catch (ApplicationFailure e) {
      throw TestReasons.CHECK_FAILED.equals(e.getType())
          ? ApplicationFailure.newNonRetryableFailure(with(e.getOriginalMessage()), e.getType())
          : e;
    }
  }

  private String with(String message) {
    return trouble.get().map(why -> message + "; " + why).orElse(message);
  }
}
