package io.middleware.engine.watcher.backup;

import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.middleware.engine.api.Backup;
import io.middleware.engine.api.Labels;

/** Reconciles one Backup. The run that deletes its copies removes the finalizer. */
@ControllerConfiguration(
    name = "backups",
    finalizerName = Labels.BACKUP,
    fieldManager = BackupReconciler.FIELD_MANAGER,
    generationAwareEventProcessing = false)
public final class BackupReconciler implements Reconciler<Backup>, Cleaner<Backup> {
  static final String FIELD_MANAGER = "middleware-watcher";

  private final BackupSubmission submission;

  public BackupReconciler(BackupSubmission submission) {
    this.submission = submission;
  }

  @Override
  public UpdateControl<Backup> reconcile(Backup backup, Context<Backup> context) {
    var control = UpdateControl.<Backup>noUpdate();
    submission.reconcile(backup).ifPresent(control::rescheduleAfter);
    return control;
  }

  @Override
  public DeleteControl cleanup(Backup backup, Context<Backup> context) {
    return submission
        .remove(backup)
        .map(next -> DeleteControl.noFinalizerRemoval().rescheduleAfter(next))
        .orElseGet(DeleteControl::defaultDelete);
  }
}
