package io.middleware.engine.workflows.testing.port;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What a test deletes at its end, as its spec was in the first round: an edit must not hide what it
 * has created.
 *
 * @param account the service account that deletes
 * @param objects what its manifests name, in their order; empty: nothing is deleted
 * @param afterFailure whether it also deletes them when it fails
 */
public record CleanUpPlan(String account, List<ObjectName> objects, boolean afterFailure) {
  public CleanUpPlan {
    requireNonNull(account, "account");
    objects = List.copyOf(objects);
  }

  /** An object of the test's namespace. */
  public record ObjectName(String apiVersion, String kind, String name) {
    public ObjectName {
      requireNonNull(apiVersion, "apiVersion");
      requireNonNull(kind, "kind");
      requireNonNull(name, "name");
    }
  }
}
