package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.watcher.change.ChangeRuns;
import io.middleware.engine.watcher.change.ChangeSignal;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.RequestAnswer.NoRun;
import io.middleware.engine.watcher.change.TemporalUnavailableException;
import io.middleware.engine.watcher.operation.OperationDecision.Cancel;
import io.middleware.engine.watcher.operation.OperationDecision.Check;
import io.middleware.engine.watcher.operation.OperationDecision.End;
import io.middleware.engine.watcher.operation.OperationDecision.Remove;
import io.middleware.engine.watcher.operation.OperationDecision.Start;
import io.middleware.engine.watcher.operation.OperationDecision.Wait;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.request.ChangeScope;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits Operations to Temporal, each when its App is free. Temporal starts one run of an App at a
 * time, so a start that comes too early, or twice, starts nothing.
 */
public final class OperationSubmission {
  private static final Logger LOG = LoggerFactory.getLogger(OperationSubmission.class);
  private static final String SUBMITTED = "is about to begin";
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

  private final ChangeRuns runs;
  private final OperationObjects objects;
  private final InstantSource clock;

  public OperationSubmission(ChangeRuns runs, OperationObjects objects, InstantSource clock) {
    this.runs = runs;
    this.objects = objects;
    this.clock = clock;
  }

  /**
   * Does what is to be done about the Operation now.
   *
   * @param siblings the Operations of the namespace
   * @return when to look at it again if nothing happens before; empty when it is gone
   */
  public Optional<Duration> reconcile(Operation operation, List<Operation> siblings) {
    try {
      var atOnce = OperationDecision.withoutApp(operation, siblings, clock.instant());
      var app = atOnce.isPresent() ? Optional.<App>empty() : objects.app(operation);
      return carryOut(atOnce.orElseGet(() -> OperationDecision.on(app, operation)), operation, app);
    } catch (TemporalUnavailableException e) {
      return waiting(operation, "Temporal does not answer: " + e.getMessage(), AFTER_FAILURE);
    }
  }

  private Optional<Duration> carryOut(
      OperationDecision decision, Operation operation, Optional<App> app) {
    return switch (decision) {
      case Wait(var why, var next) -> waiting(operation, why, next);
      case Start() -> start(operation, app.orElseThrow());
      case Check() -> check(operation, app.orElseThrow());
      case Cancel() -> cancel(operation, app.orElseThrow());
      case End(var phase, var why) -> end(operation, phase, why);
      case Remove() -> {
        objects.delete(operation);
        yield Optional.empty();
      }
    };
  }

  private Optional<Duration> waiting(Operation operation, String why, Duration next) {
    if (!operation.hasBegun() && !operation.hasEnded()) {
      objects.write(operation, OperationStatus.pending(why));
    }
    return Optional.of(next);
  }

  private Optional<Duration> start(Operation operation, App app) {
    var meta = operation.getMetadata();
    var ref =
        new OperationRef(
            meta.getName(), meta.getUid(), operation.getSpec().action(), pluginAction(operation));
    if (!runs.start(ChangeSignal.operation(app, ref))) {
      var submitted = OperationStatus.pending(SUBMITTED).equals(operation.getStatus());
      return waiting(
          operation,
          submitted ? SUBMITTED : "waits for the end of the App's open run",
          OperationDecision.SOON);
    }
    LOG.atInfo()
        .addKeyValue("namespace", meta.getNamespace())
        .addKeyValue("app", app.getMetadata().getName())
        .addKeyValue("operation", meta.getName())
        .log("operation submitted");
    return waiting(operation, SUBMITTED, OperationDecision.REGULARLY);
  }

  private static String pluginAction(Operation operation) {
    var spec = operation.getSpec();
    return spec.action() == OperationAction.PLUGIN ? spec.actionName() : "";
  }

  /** The run may have been terminated, or Temporal's database restored. */
  private Optional<Duration> check(Operation operation, App app) {
    return isOpen(operation) ? Optional.of(OperationDecision.REGULARLY) : start(operation, app);
  }

  private boolean isOpen(Operation operation) {
    return runs.openRun(operation.getMetadata().getNamespace(), operation.getSpec().app())
        .filter(run -> run.id().equals(operation.getStatus().runId()))
        .isPresent();
  }

  private Optional<Duration> cancel(Operation operation, App app) {
    var meta = operation.getMetadata();
    var answer =
        runs.request(
            meta.getNamespace(),
            operation.getSpec().app(),
            "cancel/" + meta.getUid(),
            new CancelChange(ChangeScope.ofOperation(meta.getUid())));
    return answer instanceof NoRun ? start(operation, app) : Optional.of(OperationDecision.SOON);
  }

  /** A run that is still open has released the App, and is about to write the end itself. */
  private Optional<Duration> end(Operation operation, String phase, String why) {
    if (operation.hasBegun() && isOpen(operation)) {
      return Optional.of(OperationDecision.SOON);
    }
    var before =
        operation.getStatus() == null ? OperationStatus.pending("") : operation.getStatus();
    objects.write(
        operation,
        before.ended(phase, why, clock.instant().truncatedTo(ChronoUnit.SECONDS).toString()));
    return Optional.of(OperationDecision.SOON);
  }
}
