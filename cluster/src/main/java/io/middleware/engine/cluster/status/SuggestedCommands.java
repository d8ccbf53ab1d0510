package io.middleware.engine.cluster.status;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskProgress;

/** Commands that change the course of a change. */
final class SuggestedCommands {
  private SuggestedCommands() {}

  static String cancel(ChangeRef change) {
    return annotate(change, Labels.CANCEL_CONTROL, "{}");
  }

  static String approve(ChangeRef change, String hash) {
    return annotate(change, Labels.APPROVE, hash);
  }

  /** Retries all remaining tasks; skipped tasks are retried with the tasks that they depend on. */
  static String retry(ChangeProgress progress) {
    var ids =
        progress.tasks().stream()
            .filter(SuggestedCommands::isUnsuccessful)
            .map(task -> '"' + task.task().id() + '"')
            .collect(joining(", "));
    return annotate(
        progress.change(),
        Labels.RETRY_CONTROL,
        "{\"retryTaskIds\": [%s], \"resetDependencies\": true}".formatted(ids));
  }

  static boolean isUnsuccessful(TaskProgress task) {
    return task.phase() == TaskPhase.FAILED
        || task.phase() == TaskPhase.CANCELLED
        || task.fault().filter(fault -> fault.reason().equals("NotRetried")).isPresent();
  }

  private static String annotate(ChangeRef change, String key, String value) {
    return "kubectl annotate mwapp -n %s %s '%s=%s'"
        .formatted(change.namespace(), change.app(), key, value);
  }
}
