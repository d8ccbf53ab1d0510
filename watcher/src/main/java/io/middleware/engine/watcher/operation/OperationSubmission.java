package io.middleware.engine.watcher.operation;

import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import io.middleware.engine.watcher.change.TemporalUnavailableException;
import io.middleware.engine.watcher.operation.OperationDecision.Cancel;
import io.middleware.engine.watcher.operation.OperationDecision.Check;
import io.middleware.engine.watcher.operation.OperationDecision.End;
import io.middleware.engine.watcher.operation.OperationDecision.Remove;
import io.middleware.engine.watcher.operation.OperationDecision.Start;
import io.middleware.engine.watcher.operation.OperationDecision.Wait;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits Operations to Temporal: each when its App is free, or at once when it excludes nothing.
 * Temporal starts one run of a workflow at a time, so a start that comes too early, or twice,
 * starts nothing.
 */
public final class OperationSubmission {
  private static final Logger LOG = LoggerFactory.getLogger(OperationSubmission.class);
  private static final String SUBMITTED = "is about to begin";
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

  private final OperationCarriers carriers;
  private final OperationObjects objects;
  private final OperationEnds ends;
  private final InstantSource clock;

  /**
   * @param meters count the Operations that end without a run
   */
  public OperationSubmission(
      OperationCarriers carriers,
      OperationObjects objects,
      MeterRegistry meters,
      InstantSource clock) {
    this.carriers = carriers;
    this.objects = objects;
    this.ends = new OperationEnds(objects, meters);
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
      var now = clock.instant();
      var alone = OperationDecision.alone(operation, now);
      return alone.isPresent()
          ? carryOut(alone.get(), operation, Optional.empty(), carriers.of(false))
          : reconcile(operation, siblings, now);
    } catch (TemporalUnavailableException e) {
      return waiting(operation, "Temporal does not answer: " + e.getMessage(), AFTER_FAILURE);
    }
  }

  private Optional<Duration> reconcile(Operation operation, List<Operation> siblings, Instant now) {
    var behind = OperationDecision.behind(siblings, operation, now);
    if (behind.isPresent() && !OperationCarriers.dependsOnPlugin(operation)) {
      return carryOut(behind.get(), operation, Optional.empty(), carriers.of(false));
    }
    var app = objects.app(operation);
    var shared = carriers.isShared(operation, app);
    if (shared.isEmpty()) {
      return waiting(operation, "the Plugins are being read", OperationDecision.SOON);
    }
    var decision =
        shared.get()
            ? OperationDecision.beside(app, operation)
            : behind.orElseGet(() -> OperationDecision.on(app, operation));
    return carryOut(decision, operation, app, carriers.of(shared.get()));
  }

  private Optional<Duration> carryOut(
      OperationDecision decision,
      Operation operation,
      Optional<App> app,
      OperationCarrier carrier) {
    return switch (decision) {
      case Wait(var why, var next) -> waiting(operation, why, next);
      case Start() -> start(operation, app.orElseThrow(), carrier);
      case Check() -> check(operation, app.orElseThrow(), carrier);
      case Cancel(var lost) -> cancel(operation, app, carrier, lost);
      case End end -> end(operation, app, end, carrier);
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

  private Optional<Duration> start(Operation operation, App app, OperationCarrier carrier) {
    if (!carrier.start(operation, app)) {
      var submitted = OperationStatus.pending(SUBMITTED).equals(operation.getStatus());
      return waiting(
          operation,
          submitted ? SUBMITTED : "waits for the end of the App's open run",
          OperationDecision.SOON);
    }
    LOG.atInfo()
        .addKeyValue("namespace", operation.getMetadata().getNamespace())
        .addKeyValue("app", app.getMetadata().getName())
        .addKeyValue("operation", operation.getMetadata().getName())
        .log("operation submitted");
    return waiting(operation, SUBMITTED, OperationDecision.REGULARLY);
  }

  /** The run may have been terminated, or Temporal's database restored. */
  private Optional<Duration> check(Operation operation, App app, OperationCarrier carrier) {
    return carrier.isOpen(operation)
        ? Optional.of(OperationDecision.REGULARLY)
        : start(operation, app, carrier);
  }

  private Optional<Duration> cancel(
      Operation operation, Optional<App> app, OperationCarrier carrier, Optional<End> lost) {
    if (carrier.cancel(operation)) {
      return Optional.of(OperationDecision.SOON);
    }
    return lost.isPresent()
        ? end(operation, app, lost.get(), carrier)
        : start(operation, app.orElseThrow(), carrier);
  }

  /**
   * A run that is still open has released the App, and is about to write the end itself. Nobody
   * looks at an end again that is written, so its events come first.
   */
  private Optional<Duration> end(
      Operation operation, Optional<App> app, End end, OperationCarrier carrier) {
    if (operation.hasBegun() && carrier.isOpen(operation)) {
      return Optional.of(OperationDecision.SOON);
    }
    var before =
        operation.getStatus() == null ? OperationStatus.pending("") : operation.getStatus();
    var at = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    ends.publish(operation, app, end);
    if (objects.write(operation, before.ended(end.phase(), end.why(), at))) {
      ends.count(operation, end);
    }
    return Optional.of(OperationDecision.SOON);
  }
}
