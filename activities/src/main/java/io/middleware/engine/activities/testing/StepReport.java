package io.middleware.engine.activities.testing;

import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.api.testing.StepStatus;
import io.middleware.engine.api.testing.TestCheckResult;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepRef;
import io.temporal.failure.ApplicationFailure;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows in the status what a step in progress waits for. A report that cannot be written does not
 * hold up the step.
 */
final class StepReport {
  private static final Logger LOG = LoggerFactory.getLogger(StepReport.class);

  private final IntegrationTests tests;
  private final StepRef step;
  private final String phase;
  private final InstantSource clock;
  private Optional<Said> last = Optional.empty();

  /**
   * @param phase for example {@code Converging}
   */
  StepReport(IntegrationTests tests, StepRef step, String phase, InstantSource clock) {
    this.tests = tests;
    this.step = step;
    this.phase = phase;
    this.clock = clock;
  }

  /** The phase begins. */
  void begin() {
    write("", Optional.empty());
  }

  /** What is missing, when that has changed. */
  void missing(String message) {
    if (isNew(new Said(message, List.of()))) {
      write(message, Optional.empty());
    }
  }

  /** What the checks have found, when that has changed. */
  void checked(String message, List<TestCheckResult> results) {
    if (isNew(Said.of(message, results))) {
      write(message, Optional.of(results));
    }
  }

  private boolean isNew(Said said) {
    return !last.equals(Optional.of(said));
  }

  /** What the status says, without times. */
  private record Said(String message, List<TestCheckResult> results) {
    static Said of(String message, List<TestCheckResult> results) {
      return new Said(
          message,
          results.stream()
              .map(it -> new TestCheckResult(it.name(), it.passed(), it.actual(), it.message(), ""))
              .toList());
    }
  }

  private void write(String message, Optional<List<TestCheckResult>> checks) {
    var status =
        new StepStatus(step.step(), phase, message, Timestamp.of(clock.instant()), null, null);
    try {
      tests.write(step.test(), now -> IntegrationTestStatuses.going(now, status, checks));
      last = Optional.of(Said.of(message, checks.orElse(List.of())));
    } catch (ApplicationFailure e) {
      LOG.atDebug()
          .addKeyValue("test", step.test().workflowId())
          .addKeyValue("step", step.step())
          .log("what the step waits for is not written", e);
    }
  }
}
