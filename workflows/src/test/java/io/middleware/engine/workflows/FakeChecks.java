package io.middleware.engine.workflows;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.task.WatchedChecks;
import io.middleware.engine.workflows.port.CheckActivities;

/**
 * Checks the groups of a fake cluster: they do not hold at once where the test says so. Those in
 * the background hold until the test makes the operation {@code background check} fail.
 */
record FakeChecks(FakeCluster cluster) implements CheckActivities {
  @Override
  public boolean checksHold(CheckRequest request) {
    cluster.operate(request.change(), "check " + request.subject());
    return !cluster.unchecked.contains(request.subject());
  }

  @Override
  public void watchChecks(WatchRequest request) {
    cluster.operate(
        request.change(),
        "watch checks "
            + request.components().stream().map(WatchedChecks::component).collect(joining(", ")));
    FakeOperations.hang(
        () -> {
          cluster.failAt("background check");
          return true;
        });
  }

  @Override
  public void awaitChecks(CheckRequest request) {
    cluster.operate(request.change(), "await checks " + request.subject());
  }
}
