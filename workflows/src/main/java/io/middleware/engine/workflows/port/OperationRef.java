package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.middleware.engine.api.task.OperationAction;
import java.util.Objects;

/**
 * An Operation that a run carries out instead of a generation of the App's spec.
 *
 * @param name of the object in the App's namespace
 * @param uid of the object, so that a later one of the same name is another one
 * @param pluginAction the name of the Plugin's action; empty, and missing in older histories, for a
 *     built-in one
 */
public record OperationRef(
    String name,
    String uid,
    OperationAction action,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String pluginAction) {
  private static final int SHORT = 8;

  public OperationRef {
    requireNonNull(name, "name");
    requireNonNull(uid, "uid");
    requireNonNull(action, "action");
    pluginAction = Objects.requireNonNullElse(pluginAction, "");
  }

  /** Of a built-in action. */
  public OperationRef(String name, String uid, OperationAction action) {
    this(name, uid, action, "");
  }

  /** The word for its action that users write. */
  public String actionName() {
    return pluginAction.isEmpty() ? action.label() : pluginAction;
  }

  /** The part of a uid that tells the ids of an Operation's tasks from those of others. */
  public static String shortUid(String uid) {
    return uid.substring(0, Math.min(SHORT, uid.length()));
  }

  /** For example {@code Operation restart-1 (Restart)}. */
  @Override
  public String toString() {
    return "Operation %s (%s)".formatted(name, actionName());
  }
}
