package io.middleware.engine.workflows.component;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.resting;

import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities;
import io.temporal.workflow.Workflow;

/** A pause of the App that a step has met. */
final class AppPause {
  private AppPause() {}

  /** Waits until the App is resumed. */
  static void awaitEnd(GroupRef group) {
    var summary = "wait until the App is resumed, then " + group.group();
    Workflow.newActivityStub(PodActivities.class, resting(summary)).awaitResumed(group.task());
  }
}
