package io.middleware.engine.activities.status;

import io.middleware.engine.activities.kubernetes.ObservedRunLock;
import io.middleware.engine.activities.sensitive.SensitiveValues;
import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.CheckResult;
import io.middleware.engine.workflows.port.TaskRef;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into the App's status what became of the checks of a task. A result that cannot be written
 * is only logged: the outcome of the task says what matters.
 */
public final class CheckResultWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CheckResultWriter.class);
  private static final int LONGEST_ACTUAL = 1024;
  private static final int LONGEST_MESSAGE = 4096;

  private final AppStatusWriter writer;
  private final SensitiveValues secrets;
  private final Clock clock;

  /**
   * @param secrets are not shown
   */
  public CheckResultWriter(AppStatusWriter writer, SensitiveValues secrets, Clock clock) {
    this.writer = writer;
    this.secrets = secrets;
    this.clock = clock;
  }

  /** A decision about one check: what was found, and why it did not pass if it did not. */
  public record Decision(
      String name, Optional<String> group, String actual, Optional<String> failure) {}

  /** Writes these decisions; never fails. */
  public void write(TaskRef task, List<Decision> decisions) {
    var change = task.change();
    var results = decisions.stream().map(it -> result(change.uid(), it)).toList();
    try {
      writer.write(
          new AppId(change.namespace(), change.app(), change.uid()),
          app -> status(app, task, results));
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("could not write the results of checks to the App's status");
    }
  }

  /** Empty when another run holds the run lock, or the change has ended. */
  private static Optional<AppStatus> status(App app, TaskRef task, List<CheckResult> results) {
    return Optional.ofNullable(app.getStatus())
        .filter(status -> new ObservedRunLock(app).isHeldBy(task.change()))
        .map(status -> CheckedTasks.with(status, task.id(), results));
  }

  private CheckResult result(String app, Decision decision) {
    return new CheckResult(
        decision.name(),
        decision.group().orElse(null),
        decision.failure().isEmpty(),
        StatusTexts.cut(secrets.hide(app, decision.actual()), LONGEST_ACTUAL),
        decision
            .failure()
            .map(why -> StatusTexts.cut(secrets.hide(app, why), LONGEST_MESSAGE))
            .orElse(null),
        StatusTexts.time(clock.instant()));
  }
}
