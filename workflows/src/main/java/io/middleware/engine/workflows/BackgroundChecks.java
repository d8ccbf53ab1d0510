package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.WatchedChecks;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.CheckActivities;
import io.middleware.engine.workflows.port.CheckActivities.WatchRequest;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The checks that are repeated beside the tasks of a change, if its plan has any: one activity for
 * all of them. When it fails, the tasks in work must stop; a retry of them begins it again.
 */
final class BackgroundChecks {
  private final Supplier<ChangeRef> change;
  private final List<WatchedChecks> checks;
  private final Optional<String> pluginRevision;
  private Optional<CancellationScope> running = Optional.empty();
  private Optional<Fault> failure = Optional.empty();

  BackgroundChecks(Supplier<ChangeRef> change, ChangePlan plan) {
    this.change = change;
    this.checks = plan.background();
    this.pluginRevision = plan.pluginRevision();
  }

  /** Begins them where there are any; nothing happens while they are carried out. */
  void begin() {
    if (checks.isEmpty() || running.isPresent()) {
      return;
    }
    failure = Optional.empty();
    var scope = Workflow.newCancellationScope(() -> Async.procedure(this::watch));
    running = Optional.of(scope);
    scope.run();
  }

  /** Ends them; nobody waits for what they are doing, as they write no object. */
  void end() {
    var scope = running;
    running = Optional.empty();
    scope.ifPresent(CancellationScope::cancel);
  }

  /** Why the tasks in work must stop; empty while they may go on. */
  Optional<Fault> failure() {
    return failure;
  }

  private void watch() {
    try {
      Workflow.newActivityStub(CheckActivities.class, options())
          .watchChecks(new WatchRequest(change.get(), pluginRevision, checks));
    } catch (TemporalFailure e) {
      if (!FailureCauses.isCancel(e)) {
        running = Optional.empty();
        failure = Optional.of(FailureCauses.explain(e)).filter(BackgroundChecks::stops);
      }
    }
  }

  /** When another run has taken the App over, the tasks meet that, too. */
  private static boolean stops(Fault fault) {
    return !FaultKind.SUPERSEDED.label().equals(fault.reason());
  }

  private ActivityOptions options() {
    var names = checks.stream().flatMap(component -> component.names().stream()).toList();
    return ActivityPolicy.beside("repeat " + CheckStep.named(names, "the components"));
  }
}
