package io.middleware.engine.workflows.testing.port;

import static java.util.Objects.requireNonNull;

/**
 * A test, and the run that carries it out.
 *
 * @param cluster the name of the engine's cluster; may be empty
 * @param name of the IntegrationTest or LoadTest
 * @param uid of the same: one of the same name that is created later is another; empty for the load
 *     of a step, which writes no status of the LoadTest
 */
public record TestRef(
    String cluster, String namespace, String name, String uid, String workflowId, String runId)
    implements TestWork {
  public TestRef {
    requireNonNull(cluster, "cluster");
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
    requireNonNull(uid, "uid");
    requireNonNull(workflowId, "workflowId");
    requireNonNull(runId, "runId");
  }

  @Override
  public TestRef test() {
    return this;
  }
}
