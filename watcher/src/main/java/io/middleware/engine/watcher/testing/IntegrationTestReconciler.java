package io.middleware.engine.watcher.testing;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.middleware.engine.api.testing.IntegrationTest;

/** Reconciles one IntegrationTest. One that is deleted while it runs is stopped first. */
@ControllerConfiguration(
    name = "integrationtests",
    fieldManager = IntegrationTestReconciler.FIELD_MANAGER,
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true)
public final class IntegrationTestReconciler implements Reconciler<IntegrationTest> {
  static final String FIELD_MANAGER = "middleware-watcher";

  private final TestSubmission<IntegrationTest> submission;

  IntegrationTestReconciler(TestSubmission<IntegrationTest> submission) {
    this.submission = submission;
  }

  @Override
  public UpdateControl<IntegrationTest> reconcile(
      IntegrationTest test, Context<IntegrationTest> context) {
    var control = UpdateControl.<IntegrationTest>noUpdate();
    submission.reconcile(test, context).ifPresent(control::rescheduleAfter);
    return control;
  }

  /** Whether an update changes what is to be done: most of them only say how far the run is. */
  public boolean differs(IntegrationTest now, IntegrationTest before) {
    return submission.differs(now, before);
  }
}
