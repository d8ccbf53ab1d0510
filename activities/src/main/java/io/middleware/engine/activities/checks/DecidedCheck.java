package io.middleware.engine.activities.checks;

import io.middleware.engine.cluster.status.CheckResultWriter.Decision;
import io.middleware.engine.planning.condition.Verdict;
import io.middleware.engine.workflows.port.CheckActivities.CheckRequest;
import java.time.Duration;
import java.util.Optional;

/** A check and the verdict that has decided about it. */
record DecidedCheck(CompiledCheck check, Verdict verdict) {

  boolean passed() {
    return verdict instanceof Verdict.Holds;
  }

  /** For people: which check of what has failed, and why. */
  String failure(CheckRequest request) {
    return "check %s of %s did not hold within %s: %s"
        .formatted(check.name(), request.subject(), inWords(check.within()), verdict.message());
  }

  /** For the status. */
  Decision decision(CheckRequest request) {
    return new Decision(
        check.name(),
        request.group(),
        Optional.of(passed()),
        verdict.found(),
        passed() ? Optional.empty() : Optional.of(verdict.message()),
        Optional.empty());
  }

  static String inWords(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }
}
