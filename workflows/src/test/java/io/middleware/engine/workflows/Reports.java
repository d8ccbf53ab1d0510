package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.ChangeProgress;
import java.util.List;

/** Reads reports. */
final class Reports {
  private Reports() {}

  static ChangeProgress last(List<ChangeProgress> reports, String run) {
    return reports.stream()
        .filter(report -> report.change().runId().equals(run))
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  static List<String> ends(List<ChangeProgress> reports) {
    return reports.stream()
        .filter(progress -> progress.end().isPresent())
        .map(progress -> progress.change().generation() + " " + message(progress.end().get()))
        .toList();
  }

  /** How the run of this report ended. */
  static String conclusion(ChangeProgress last) {
    return last.end().map(Reports::message).orElse("not ended");
  }

  private static String message(ChangeProgress.End end) {
    return end.outcome().label() + (end.message().isEmpty() ? "" : ": " + end.message());
  }
}
