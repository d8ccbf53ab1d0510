package io.middleware.engine.watcher.operation;

import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Operation;
import java.util.List;

/** Reconciles one Operation. One that is deleted while it runs is stopped first. */
@ControllerConfiguration(
    name = "operations",
    finalizerName = Labels.OPERATION,
    fieldManager = OperationReconciler.FIELD_MANAGER,
    generationAwareEventProcessing = false)
public final class OperationReconciler implements Reconciler<Operation>, Cleaner<Operation> {
  static final String FIELD_MANAGER = "middleware-watcher";

  private final OperationSubmission submission;

  public OperationReconciler(OperationSubmission submission) {
    this.submission = submission;
  }

  @Override
  public UpdateControl<Operation> reconcile(Operation operation, Context<Operation> context) {
    var control = UpdateControl.<Operation>noUpdate();
    submission
        .reconcile(operation, siblings(operation, context))
        .ifPresent(control::rescheduleAfter);
    return control;
  }

  @Override
  public DeleteControl cleanup(Operation operation, Context<Operation> context) {
    if (operation.hasEnded() || !operation.hasBegun()) {
      return DeleteControl.defaultDelete();
    }
    var control = DeleteControl.noFinalizerRemoval();
    submission
        .reconcile(operation, siblings(operation, context))
        .ifPresent(control::rescheduleAfter);
    return control;
  }

  private static List<Operation> siblings(Operation operation, Context<Operation> context) {
    return context
        .getPrimaryCache()
        .list(operation.getMetadata().getNamespace(), other -> true)
        .toList();
  }
}
