package io.middleware.engine.workflows;

import static java.util.Objects.requireNonNull;

/**
 * The wish that an App's generation be carried out.
 *
 * @param uid of the App object; another uid is another App of the same name
 * @param deleted whether the App is to go
 * @param superseded how many generations before this one were never carried out
 */
public record ChangeRequest(
    String namespace, String app, String uid, long generation, boolean deleted, long superseded) {
  public ChangeRequest {
    requireNonNull(namespace, "namespace");
    requireNonNull(app, "app");
    requireNonNull(uid, "uid");
  }

  public ChangeRequest(String namespace, String app, String uid, long generation, boolean deleted) {
    this(namespace, app, uid, generation, deleted, 0);
  }

  /**
   * Whether this wish replaces the other: another App of the name, a deletion, a newer generation.
   */
  boolean overtakes(ChangeRequest other) {
    if (!uid.equals(other.uid)) {
      return true;
    }
    return generation > other.generation || (deleted && !other.deleted);
  }

  /** Whether the other must not go on: the App goes, or is another one already. */
  boolean ends(ChangeRequest other) {
    return !uid.equals(other.uid) || (deleted && !other.deleted);
  }

  /** The same wish for the generation that the plan found. */
  ChangeRequest at(long planned) {
    return new ChangeRequest(namespace, app, uid, planned, deleted, superseded);
  }

  /** The same wish, knowing which change it waits for. */
  ChangeRequest after(ChangeRequest running) {
    var between = uid.equals(running.uid) ? Math.max(0, generation - running.generation - 1) : 0;
    return new ChangeRequest(namespace, app, uid, generation, deleted, between);
  }
}
