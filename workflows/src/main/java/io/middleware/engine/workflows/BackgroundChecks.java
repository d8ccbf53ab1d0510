package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.WatchedChecks;
import io.middleware.engine.workflows.component.CheckStep;
import io.middleware.engine.workflows.port.CheckActivities;
import io.middleware.engine.workflows.port.CheckActivities.WatchRequest;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.temporal.ActivityPolicy;
import io.middleware.engine.workflows.temporal.FailureCauses;
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
 * all of them. When it fails, the tasks in work must stop, and those that begin after it: only a
 * retry begins the activity again.
 */
final class BackgroundChecks {
  private final ChangeState state;
  private final List<WatchedChecks> checks;
  private final Optional<String> pluginRevision;
  private Watch watch = new Watch();

  BackgroundChecks(ChangeState state, ChangePlan plan) {
    this.state = state;
    this.checks = plan.background();
    this.pluginRevision = plan.pluginRevision();
  }

  /** Begins them where there are any; nothing happens while they are carried out. */
  void begin() {
    if (checks.isEmpty() || watch.running.isPresent() || watch.hasFailedSinceRetry()) {
      return;
    }
    watch = new Watch();
    watch.begin();
  }

  /** Ends them; nobody waits for what they are doing, as no later step reads what they write. */
  void end() {
    watch.end();
  }

  /** Why the tasks that begin now must stop; gives nothing as long as they may go on. */
  Supplier<Optional<Fault>> failure() {
    var now = watch;
    return () -> now.failure;
  }

  /** The activity, as long as no retry begins another one. */
  private final class Watch {
    private Optional<CancellationScope> running = Optional.empty();
    private Optional<Fault> failure = Optional.empty();
    private int retries;

    void begin() {
      var scope = Workflow.newCancellationScope(() -> Async.procedure(this::run));
      running = Optional.of(scope);
      scope.run();
    }

    void end() {
      var scope = running;
      running = Optional.empty();
      scope.ifPresent(CancellationScope::cancel);
    }

    boolean hasFailedSinceRetry() {
      return failure.isPresent() && retries == state.tasks().retries();
    }

    private void run() {
      try {
        Workflow.newActivityStub(CheckActivities.class, options())
            .watchChecks(new WatchRequest(state.change(), pluginRevision, checks));
      } catch (TemporalFailure e) {
        if (!FailureCauses.isCancel(e)) {
          running = Optional.empty();
          retries = state.tasks().retries();
          failure = Optional.of(FailureCauses.explain(e)).filter(BackgroundChecks::stops);
        }
      }
    }
  }

  /** When another run has taken the App over, the tasks meet that, too. */
  private static boolean stops(Fault fault) {
    return !FaultKind.SUPERSEDED.label().equals(fault.reason());
  }

  private ActivityOptions options() {
    var names = checks.stream().flatMap(component -> component.names().stream()).toList();
    return ActivityPolicy.background("repeat " + CheckStep.named(names, "the components"));
  }
}
