package io.middleware.engine.watcher.operation;

import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.watcher.request.RequestDecision.End;
import io.middleware.engine.watcher.request.RequestKind;
import io.middleware.engine.watcher.request.RequestProgress;
import io.middleware.engine.watcher.request.RequestReconciler;
import io.middleware.engine.watcher.request.RequestSubmission;
import io.middleware.engine.watcher.request.RequestSubmissions;
import java.time.Instant;
import java.util.Optional;

/** How far Operations are, as they say. */
public final class OperationKind implements RequestKind<Operation, OperationStatus> {
  private final OperationEnds ends;

  OperationKind(OperationEnds ends) {
    this.ends = ends;
  }

  /**
   * Builds the reconciler of Operations.
   *
   * @param meters count the Operations that end without a run
   */
  public static RequestReconciler<Operation> reconciler(
      RequestSubmissions submissions,
      OperationCarriers carriers,
      OperationObjects objects,
      MeterRegistry meters) {
    return new OperationReconciler(
        submissions.of(
            new OperationKind(new OperationEnds(objects, meters)),
            new OperationTurns(carriers, objects)));
  }

  @Override
  public Class<Operation> type() {
    return Operation.class;
  }

  @Override
  public String finalizer() {
    return Labels.OPERATION;
  }

  @Override
  public RequestProgress progress(Operation operation) {
    var spec = Optional.ofNullable(operation.getSpec());
    return new RequestProgress(
        spec.isPresent(),
        Optional.empty(),
        operation.isCancelled(),
        operation.hasBegun(),
        Optional.ofNullable(operation.getStatus())
            .map(OperationStatus::completedAt)
            .map(Instant::parse),
        RequestProgress.kept(spec.map(OperationSpec::ttlSecondsAfterFinished)));
  }

  @Override
  public OperationStatus waiting(String phase, String why) {
    return OperationStatus.pending(why);
  }

  @Override
  public OperationStatus ended(Operation operation, End end, String at) {
    return Optional.ofNullable(operation.getStatus())
        .orElseGet(() -> OperationStatus.pending(""))
        .ended(end.phase(), end.why(), at);
  }

  @Override
  public void announce(Operation operation, End end) {
    ends.publish(operation, end);
  }

  @Override
  public void count(Operation operation, End end) {
    ends.count(operation, end);
  }

  static final class OperationReconciler extends RequestReconciler<Operation> {
    OperationReconciler(RequestSubmission<Operation, ?> submission) {
      super(submission);
    }
  }
}
