package io.middleware.engine.api.task;

import java.util.Set;

/** Ids of workflows: derived, so that the same thing done twice has the same id. */
public final class WorkflowIds {
  private static final String OPERATION = "op";

  /** With which the ids begin in a cluster without a name. */
  private static final Set<String> KINDS =
      Set.of("app", "backup", OPERATION, "test", "load", "secrets");

  private WorkflowIds() {}

  /**
   * {@code app/<namespace>/<name>}, one per App; {@code <cluster>/app/<namespace>/<name>} in a
   * cluster that has a name.
   *
   * @param cluster may be empty; no cluster has the name of a kind of workflow, such as {@code app}
   */
  public static String app(String cluster, String namespace, String name) {
    return below(cluster, "app/" + namespace + "/" + name);
  }

  /** The cluster that the workflow belongs to; empty if that has no name. */
  public static String cluster(String workflowId) {
    var end = workflowId.indexOf('/');
    return end < 0 || KINDS.contains(workflowId.substring(0, end))
        ? ""
        : workflowId.substring(0, end);
  }

  /**
   * {@code backup/<namespace>/<name>}, one per Backup that a person created; the schedule of an App
   * has the id of its App's name.
   */
  public static String backup(String cluster, String namespace, String name) {
    return below(cluster, "backup/" + namespace + "/" + name);
  }

  /** {@code test/<namespace>/<name>}, one per IntegrationTest. */
  public static String integrationTest(String cluster, String namespace, String name) {
    return below(cluster, "test/" + namespace + "/" + name);
  }

  /** {@code load/<namespace>/<name>}, one per LoadTest. */
  public static String loadTest(String cluster, String namespace, String name) {
    return below(cluster, "load/" + namespace + "/" + name);
  }

  /** {@code op/<namespace>/<name>}, one per Operation that is not exclusive. */
  public static String operation(String cluster, String namespace, String name) {
    return below(cluster, OPERATION + "/" + namespace + "/" + name);
  }

  /**
   * {@code secrets/<namespace of the engine>}, one per engine.
   *
   * @param system the namespace of the engine, as several may share a Temporal namespace
   */
  public static String secrets(String cluster, String system) {
    return below(cluster, "secrets/" + system);
  }

  /** Whether it is the id of the workflow of an Operation that is not exclusive. */
  public static boolean isOperation(String workflowId) {
    return workflowId.startsWith(below(cluster(workflowId), OPERATION + "/"));
  }

  /** {@code <cluster>/<name>}, or only the name in a cluster without one. */
  public static String below(String cluster, String name) {
    return cluster.isEmpty() ? name : cluster + "/" + name;
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
