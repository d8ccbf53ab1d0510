package io.middleware.engine.watcher.testing;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.middleware.engine.api.testing.LoadTest;

/** Reconciles one LoadTest. One that is deleted while it runs is stopped first. */
@ControllerConfiguration(
    name = "loadtests",
    fieldManager = LoadTestReconciler.FIELD_MANAGER,
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true)
public final class LoadTestReconciler implements Reconciler<LoadTest> {
  static final String FIELD_MANAGER = "middleware-watcher";

  private final TestSubmission<LoadTest> submission;

  LoadTestReconciler(TestSubmission<LoadTest> submission) {
    this.submission = submission;
  }

  @Override
  public UpdateControl<LoadTest> reconcile(LoadTest test, Context<LoadTest> context) {
    var control = UpdateControl.<LoadTest>noUpdate();
    submission.reconcile(test, context).ifPresent(control::rescheduleAfter);
    return control;
  }

  /** Whether an update changes what is to be done: most of them only say how far the run is. */
  public boolean differs(LoadTest now, LoadTest before) {
    return submission.differs(now, before);
  }
}
