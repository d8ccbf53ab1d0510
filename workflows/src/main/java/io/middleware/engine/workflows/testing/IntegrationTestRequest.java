package io.middleware.engine.workflows.testing;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A round of an IntegrationTest.
 *
 * @param cluster the name of the engine's cluster; may be empty
 * @param name of the IntegrationTest
 * @param uid of the IntegrationTest: one of the same name that is created later is another
 * @param round from 1
 * @param begun when the first round began
 */
public record IntegrationTestRequest(
    String cluster, String namespace, String name, String uid, int round, Instant begun) {
  public IntegrationTestRequest {
    requireNonNull(cluster, "cluster");
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
    requireNonNull(uid, "uid");
    requireNonNull(begun, "begun");
  }

  /** The round after this one. */
  public IntegrationTestRequest next() {
    return new IntegrationTestRequest(cluster, namespace, name, uid, round + 1, begun);
  }
}
