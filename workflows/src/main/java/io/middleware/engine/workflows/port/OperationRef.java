package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.api.task.WorkflowIds;
import java.util.Objects;

/**
 * An Operation that a run carries out instead of a generation of the App's spec.
 *
 * @param name of the object in the App's namespace
 * @param uid of the object, so that a later one of the same name is another one
 * @param pluginAction the name of the Plugin's action; empty, and missing in older histories, for a
 *     built-in one
 * @param shared whether it excludes nothing, and runs beside changes and other Operations in a
 *     workflow of its own; absent if it does not
 */
public record OperationRef(
    String name,
    String uid,
    OperationAction action,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String pluginAction,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean shared)
    implements Work {
  private static final int SHORT = 8;

  public OperationRef {
    requireNonNull(name, "name");
    requireNonNull(uid, "uid");
    requireNonNull(action, "action");
    pluginAction = Objects.requireNonNullElse(pluginAction, "");
  }

  /** Of an action that excludes changes and other Operations. */
  public OperationRef(String name, String uid, OperationAction action, String pluginAction) {
    this(name, uid, action, pluginAction, false);
  }

  /** Of a built-in action. */
  public OperationRef(String name, String uid, OperationAction action) {
    this(name, uid, action, "");
  }

  @Override
  public String workflowId(String cluster, String namespace, String app) {
    return shared
        ? WorkflowIds.operation(cluster, namespace, name)
        : Work.super.workflowId(cluster, namespace, app);
  }

  /** Whether operators mean it by this name or uid. */
  public boolean isNamed(String nameOrUid) {
    return nameOrUid.equals(uid) || nameOrUid.equals(name);
  }

  /** The word for its action that users write. */
  public String actionName() {
    return pluginAction.isEmpty() ? action.label() : pluginAction;
  }

  /** The part of a uid that tells the ids of an Operation's tasks from those of others. */
  public static String shortUid(String uid) {
    return uid.substring(0, Math.min(SHORT, uid.length()));
  }

  @Override
  public String subject() {
    return "Operation %s (%s)".formatted(name, actionName());
  }
}
