package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

import io.middleware.engine.api.task.OperationAction;

/**
 * An Operation that a run carries out instead of a generation of the App's spec.
 *
 * @param name of the object in the App's namespace
 * @param uid of the object, so that a later one of the same name is another one
 */
public record OperationRef(String name, String uid, OperationAction action) {
  private static final int SHORT = 8;

  public OperationRef {
    requireNonNull(name, "name");
    requireNonNull(uid, "uid");
    requireNonNull(action, "action");
  }

  /** The part of a uid that tells the ids of an Operation's tasks from those of others. */
  public static String shortUid(String uid) {
    return uid.substring(0, Math.min(SHORT, uid.length()));
  }

  /** For example {@code Operation restart-1 (Restart)}. */
  @Override
  public String toString() {
    return "Operation %s (%s)".formatted(name, action.label());
  }
}
