package io.middleware.engine.workflows.testing;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.workflows.temporal.Markdown;
import io.middleware.engine.workflows.testing.port.StepProgress;
import io.middleware.engine.workflows.testing.port.TestRef;
import java.util.List;

/** A round for the Web UI. */
final class RoundDetails {
  private RoundDetails() {}

  static String markdown(TestRef test, int round, String headline, List<StepProgress> steps) {
    return steps.stream()
        .map(RoundDetails::row)
        .collect(
            joining(
                "\n",
                "### %s/%s, round %d: %s%n%n| step | status | message |%n|---|---|---|%n"
                    .formatted(test.namespace(), test.name(), round, headline),
                "\n"));
  }

  private static String row(StepProgress step) {
    return "| %s | **%s** | %s |"
        .formatted(step.name(), status(step), Markdown.escape(step.message()));
  }

  /** Which of its phases a step is in shows the history. */
  private static String status(StepProgress step) {
    return step.phase() == StepProgress.Phase.RUNNING ? "In progress" : step.phase().label();
  }
}
