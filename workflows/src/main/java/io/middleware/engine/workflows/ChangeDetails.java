package io.middleware.engine.workflows;

import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.temporal.Markdown;
import java.util.stream.Collectors;

/** A change's progress for the Web UI: as Markdown, and as a short summary. */
final class ChangeDetails {
  private ChangeDetails() {}

  static String markdown(ChangeProgress progress) {
    var change = progress.change();
    return """
        ### %s/%s, %s: %s

        %s%s"""
        .formatted(
            change.namespace(),
            change.app(),
            change.subject(),
            headline(progress),
            progress.tasks().isEmpty() ? "" : table(progress),
            progress
                .pending()
                .map(
                    edit ->
                        "\nGeneration %d waits for the end of this change.%n"
                            .formatted(edit.generation()))
                .orElse(""));
  }

  /** For example {@code 1 of 3 tasks done}; short enough for the summary of an event. */
  static String summary(ChangeProgress progress) {
    if (progress.end().isPresent()) {
      return progress.end().get().outcome().label();
    }
    if (!progress.planned()) {
      return "planning " + progress.change().subject();
    }
    if (progress.hold().approval().isPresent()) {
      return "plan %s waits for approval".formatted(progress.hold().approval().get());
    }
    if (progress.tasks().isEmpty()) {
      return "nothing to do";
    }
    var done = progress.tasks().stream().filter(task -> task.phase() == TaskPhase.DONE).count();
    return "%s%d of %d tasks done"
        .formatted(progress.hold().paused() ? "paused, " : "", done, progress.tasks().size());
  }

  private static String headline(ChangeProgress progress) {
    if (progress.end().isPresent()) {
      var end = progress.end().get();
      return end.outcome().label()
          + (end.message().isEmpty() ? "" : ": " + Markdown.escape(end.message()));
    }
    if (!progress.planned()) {
      return "planning";
    }
    if (progress.hold().approval().isPresent()) {
      return "waits for approval of plan " + progress.hold().approval().get();
    }
    return progress.tasks().isEmpty() ? "nothing to do" : "in progress";
  }

  private static String table(ChangeProgress progress) {
    return progress.tasks().stream()
        .map(ChangeDetails::row)
        .collect(
            Collectors.joining(
                "\n", "| task | status | description | attempts |\n|---|---|---|---|\n", "\n"));
  }

  private static String row(TaskProgress progress) {
    return "| %s | **%s** | %s%s | %d |"
        .formatted(
            progress.task().id(),
            progress.phase().label(),
            cell(progress.task().description()),
            progress.fault().map(ChangeDetails::fault).orElse(""),
            progress.attempts());
  }

  private static String fault(Fault fault) {
    return cell(" — " + fault.reason() + ": " + fault.message());
  }

  private static String cell(String text) {
    return Markdown.escape(text);
  }
}
