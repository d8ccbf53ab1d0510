package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.CheckActivities;

/** Checks the groups of a fake cluster: they do not hold at once where the test says so. */
record FakeChecks(FakeCluster cluster) implements CheckActivities {
  @Override
  public boolean checksHold(CheckRequest request) {
    cluster.operate(request.change(), "check " + request.subject());
    return !cluster.unchecked.contains(request.subject());
  }

  @Override
  public void awaitChecks(CheckRequest request) {
    cluster.operate(request.change(), "await checks " + request.subject());
  }
}
