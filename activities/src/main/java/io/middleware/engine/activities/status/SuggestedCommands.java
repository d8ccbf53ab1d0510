package io.middleware.engine.activities.status;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskProgress;

/** What somebody can type to have a change go another way. */
final class SuggestedCommands {
  private SuggestedCommands() {}

  static String cancel(ChangeRef change) {
    return annotate(change, Labels.CANCEL_CONTROL, "{}");
  }

  static String approve(ChangeRef change, String hash) {
    return annotate(change, Labels.APPROVE, hash);
  }

  /** All that is left of a change; what was skipped comes with what it depends on. */
  static String retry(ChangeProgress progress) {
    var ids =
        progress.tasks().stream()
            .filter(SuggestedCommands::isTriedInVain)
            .map(task -> '"' + task.task().id() + '"')
            .collect(joining(", "));
    return annotate(
        progress.change(),
        Labels.RETRY_CONTROL,
        "{\"retryTaskIds\": [%s], \"resetDependencies\": true}".formatted(ids));
  }

  static boolean isTriedInVain(TaskProgress task) {
    return task.phase() == TaskPhase.FAILED
        || task.phase() == TaskPhase.CANCELLED
        || task.fault().filter(fault -> fault.reason().equals("NotRetried")).isPresent();
  }

  private static String annotate(ChangeRef change, String key, String value) {
    return "kubectl annotate mwapp -n %s %s '%s=%s'"
        .formatted(change.namespace(), change.app(), key, value);
  }
}
