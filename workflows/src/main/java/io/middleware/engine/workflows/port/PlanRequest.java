package io.middleware.engine.workflows.port;

import java.util.Optional;

/**
 * @param change with the requested generation; the plan may be of a newer one
 * @param continued id of the run that this one continues as new, which needs no report of its end;
 *     empty when the run was started otherwise
 */
public record PlanRequest(ChangeRef change, Optional<String> continued) implements ChangeStep {
  @Override
  public boolean fromAppWorkflow() {
    return true;
  }
}
