package io.middleware.engine.watcher.operation;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Operation;
import io.middleware.engine.watcher.request.RunFinalizer;
import java.util.List;

/** Reconciles one Operation. One that is deleted while it runs is stopped first. */
@ControllerConfiguration(
    name = "operations",
    fieldManager = OperationReconciler.FIELD_MANAGER,
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true)
public final class OperationReconciler implements Reconciler<Operation> {
  static final String FIELD_MANAGER = "middleware-watcher";

  private static final RunFinalizer FINALIZER = new RunFinalizer(Labels.OPERATION);

  private final OperationSubmission submission;

  public OperationReconciler(OperationSubmission submission) {
    this.submission = submission;
  }

  @Override
  public UpdateControl<Operation> reconcile(Operation operation, Context<Operation> context) {
    var control = UpdateControl.<Operation>noUpdate();
    if (FINALIZER.isGone(operation, context)) {
      return control;
    }
    var goes = operation.isMarkedForDeletion() && !operation.hasBegun();
    var current = FINALIZER.put(operation, !operation.hasEnded() && !goes, context);
    if (operation.isMarkedForDeletion() && (goes || operation.hasEnded())) {
      return control;
    }
    submission.reconcile(current, siblings(operation, context)).ifPresent(control::rescheduleAfter);
    return control;
  }

  private static List<Operation> siblings(Operation operation, Context<Operation> context) {
    return context
        .getPrimaryCache()
        .list(operation.getMetadata().getNamespace(), other -> true)
        .toList();
  }
}
