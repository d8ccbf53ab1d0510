package io.middleware.engine.workflows.request;

import static java.util.Objects.requireNonNull;

/**
 * The App object that a request is for.
 *
 * @param uid another uid is another App of the same name
 * @param createdAt when the object was created, in milliseconds since the epoch: of two Apps of one
 *     name the later one counts
 */
public record ChangeTarget(String namespace, String app, String uid, long createdAt) {
  public ChangeTarget {
    requireNonNull(namespace, "namespace");
    requireNonNull(app, "app");
    requireNonNull(uid, "uid");
  }

  boolean isSameObject(ChangeTarget other) {
    return uid.equals(other.uid);
  }
}
