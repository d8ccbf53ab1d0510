package io.middleware.engine.cluster.status;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.cluster.ObservedRunLock;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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

  /**
   * A decision about one check.
   *
   * @param passed empty when that is not known
   * @param actual what was found
   * @param message why it has not passed; empty when it has
   * @param failures how often in a row it has not passed; empty for a check that is not repeated
   */
  public record Decision(
      String name,
      Optional<String> group,
      Optional<Boolean> passed,
      String actual,
      Optional<String> message,
      Optional<Integer> failures) {}

  /** Writes these decisions; never fails. */
  public void write(TaskRef task, List<Decision> decisions) {
    var change = task.change();
    var results = decisions.stream().map(it -> result(change.uid(), it)).toList();
    write(change, app -> held(app, change).map(it -> CheckedTasks.with(it, task.id(), results)));
  }

  /**
   * Writes what was found about checks beside the tasks into those tasks of the component that are
   * in work, unless they show it already; never fails.
   *
   * @param seen the App as a view shows it
   */
  public void write(
      ChangeRef change, Optional<App> seen, String component, List<Decision> decisions) {
    var results = decisions.stream().map(it -> result(change.uid(), it)).toList();
    var shown = seen.map(App::getStatus).filter(it -> CheckedTasks.show(it, component, results));
    if (shown.isEmpty()) {
      write(
          change,
          app -> held(app, change).map(it -> CheckedTasks.background(it, component, results)));
    }
  }

  private void write(ChangeRef change, Function<App, Optional<AppStatus>> part) {
    try {
      writer.write(new AppId(change.namespace(), change.app(), change.uid()), part);
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("could not write the results of checks to the App's status");
    }
  }

  /** Empty when another run holds the run lock, or the change has ended. */
  private static Optional<AppStatus> held(App app, ChangeRef change) {
    return Optional.ofNullable(app.getStatus())
        .filter(status -> new ObservedRunLock(app).isHeldBy(change));
  }

  private CheckResult result(String app, Decision decision) {
    return new CheckResult(
        decision.name(),
        decision.group().orElse(null),
        decision.passed().orElse(null),
        Excerpt.withinBytes(secrets.hide(app, decision.actual()), LONGEST_ACTUAL),
        decision
            .message()
            .map(why -> Excerpt.withinBytes(secrets.hide(app, why), LONGEST_MESSAGE))
            .orElse(null),
        Timestamp.of(clock.instant()),
        decision.failures().orElse(null));
  }
}
