package io.middleware.engine.workflows;

import static java.util.Objects.requireNonNull;

/**
 * The wish that an App's generation be carried out.
 *
 * @param uid of the App object; another uid is another App of the same name
 * @param createdAt when that object was made, in milliseconds since the epoch: of two Apps of one
 *     name the later one counts
 * @param deleted whether the App is to go
 * @param superseded how many generations before this one were never carried out
 */
public record ChangeRequest(
    String namespace,
    String app,
    String uid,
    long createdAt,
    long generation,
    boolean deleted,
    long superseded) {
  public ChangeRequest {
    requireNonNull(namespace, "namespace");
    requireNonNull(app, "app");
    requireNonNull(uid, "uid");
  }

  public ChangeRequest(
      String namespace, String app, String uid, long createdAt, long generation, boolean deleted) {
    this(namespace, app, uid, createdAt, generation, deleted, 0);
  }

  /**
   * Whether this wish replaces the other: a later App of the name, a deletion, a newer generation.
   */
  boolean overtakes(ChangeRequest other) {
    if (!uid.equals(other.uid)) {
      return createdAt >= other.createdAt;
    }
    return generation > other.generation || (deleted && !other.deleted);
  }

  /** Whether the other must not go on: its App goes, or a later one has its name. */
  boolean ends(ChangeRequest other) {
    return uid.equals(other.uid) ? deleted && !other.deleted : createdAt > other.createdAt;
  }

  /** The same wish for the generation that the plan found. */
  ChangeRequest at(long planned) {
    return with(planned, superseded);
  }

  /** The same wish, knowing which change it waits for. */
  ChangeRequest after(ChangeRequest running) {
    var between = uid.equals(running.uid) ? Math.max(0, generation - running.generation - 1) : 0;
    return with(generation, between);
  }

  private ChangeRequest with(long newGeneration, long overtaken) {
    return new ChangeRequest(namespace, app, uid, createdAt, newGeneration, deleted, overtaken);
  }
}
