package io.middleware.engine.api.task;

/** Ids of workflows: derived, so that the same thing done twice has the same id. */
public final class WorkflowIds {
  private WorkflowIds() {}

  /** {@code app/<namespace>/<name>}, one per App. */
  public static String app(String namespace, String name) {
    return "app/" + namespace + "/" + name;
  }

  /** {@code app/<namespace>/<name>/<generation>/<task id>}, one per task. */
  public static String task(String appId, long generation, String taskId) {
    return appId + "/" + generation + "/" + taskId;
  }

  /** {@code <task's workflow id>/rollback}. */
  public static String rollback(String taskWorkflowId) {
    return taskWorkflowId + "/rollback";
  }

  /** {@code <task's workflow id>/<group>}, one per group of a task. */
  public static String group(String taskWorkflowId, String group) {
    return taskWorkflowId + "/" + group;
  }
}
