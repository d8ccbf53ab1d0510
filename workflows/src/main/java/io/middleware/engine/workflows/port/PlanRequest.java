package io.middleware.engine.workflows.port;

/**
 * @param change with the requested generation; the plan may be of a newer one
 */
public record PlanRequest(ChangeRef change) implements ChangeStep {
  @Override
  public boolean fromAppWorkflow() {
    return true;
  }
}
