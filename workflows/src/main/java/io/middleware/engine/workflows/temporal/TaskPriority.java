package io.middleware.engine.workflows.temporal;

import io.temporal.common.Priority;

/**
 * In which order a task queue with a backlog gives its tasks out: first by priority, and then to
 * the Kubernetes namespaces in turn. What a run starts inherits the key of its namespace.
 */
public final class TaskPriority {
  /**
   * Under overload, changes that have begun take precedence over changes that wait to be planned.
   * Otherwise all changes would be in progress at the same time, and their tasks would time out.
   */
  static final Priority BEGUN = Priority.newBuilder().setPriorityKey(1).build();

  private static final int EXISTING_APP = 2;

  private TaskPriority() {}

  /** Of a run for objects of this namespace. */
  public static Priority of(String namespace) {
    return Priority.newBuilder().setFairnessKey(namespace).build();
  }

  /** The same for an App that exists: it does not wait behind many new Apps. */
  public static Priority ofExistingApp(String namespace) {
    return Priority.newBuilder().setPriorityKey(EXISTING_APP).setFairnessKey(namespace).build();
  }
}
