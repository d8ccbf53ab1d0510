package io.middleware.engine.workflows.testing;

import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.failure.TemporalFailure;
import java.util.LinkedHashSet;
import java.util.Set;

/** {@inheritDoc} */
public final class IntegrationTestWorkflowImpl implements IntegrationTestWorkflow {
  private final Set<String> loaded = new LinkedHashSet<>();

  @Override
  public String run(IntegrationTestRequest request) {
    try {
      return new TestRound(request, loaded::contains).run();
    } catch (TemporalFailure e) {
      throw FailureCauses.clean(e);
    }
  }

  @Override
  public void loadBegun(String step) {
    loaded.add(step);
  }
}
