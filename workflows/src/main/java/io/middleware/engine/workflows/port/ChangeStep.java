package io.middleware.engine.workflows.port;

/** The argument of an activity: it says which change the step is part of. */
public interface ChangeStep {
  ChangeRef change();

  /** Whether only the App's own workflow asks for the step, none of those below it. */
  default boolean fromAppWorkflow() {
    return false;
  }
}
