package io.middleware.engine.workflows.temporal;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import java.util.ArrayList;
import java.util.List;

/** The search attributes of all our workflows; {@code temporal-config} creates them. */
public final class ChangeSearchAttributes {
  public static final SearchAttributeKey<String> APP =
      SearchAttributeKey.forKeyword("MiddlewareApp");
  public static final SearchAttributeKey<String> NAMESPACE =
      SearchAttributeKey.forKeyword("MiddlewareNamespace");
  public static final SearchAttributeKey<String> PLUGIN =
      SearchAttributeKey.forKeyword("MiddlewarePlugin");
  public static final SearchAttributeKey<Long> GENERATION =
      SearchAttributeKey.forLong("MiddlewareGeneration");
  public static final SearchAttributeKey<String> OUTCOME =
      SearchAttributeKey.forKeyword("MiddlewareOutcome");
  public static final SearchAttributeKey<String> TASK_TYPE =
      SearchAttributeKey.forKeyword("MiddlewareTaskType");

  /** The name of the cluster, if it has one. */
  public static final SearchAttributeKey<String> CLUSTER =
      SearchAttributeKey.forKeyword("MiddlewareCluster");

  private static final List<SearchAttributeKey<?>> OF_ALL_CLUSTERS =
      List.of(APP, NAMESPACE, PLUGIN, GENERATION, OUTCOME, TASK_TYPE);

  private ChangeSearchAttributes() {}

  /** All that the Temporal namespace must have for this cluster. */
  public static List<SearchAttributeKey<?>> required(String cluster) {
    var required = new ArrayList<>(OF_ALL_CLUSTERS);
    if (!cluster.isEmpty()) {
      required.add(CLUSTER);
    }
    return required;
  }

  /** The attributes of a run of {@code AppChangeWorkflow}. */
  public static SearchAttributes ofChange(String cluster, ChangeRequest request) {
    var attributes = identity(cluster, request.namespace(), request.app(), request.generation());
    request.plugin().ifPresent(plugin -> attributes.set(PLUGIN, plugin));
    request
        .operation()
        .ifPresent(operation -> attributes.set(TASK_TYPE, operation.ref().action().label()));
    return attributes.build();
  }

  /** The attributes of a child that carries out a task or a group's part of it. */
  static SearchAttributes ofTask(ChangeRef change, ChangeType type) {
    return identity(change.cluster(), change.namespace(), change.app(), change.generation())
        .set(TASK_TYPE, type.label())
        .build();
  }

  /** The attributes of a run of {@code BackupWorkflow} or {@code BackupRemovalWorkflow}. */
  public static SearchAttributes ofBackup(String cluster, String namespace, String app) {
    var attributes =
        SearchAttributes.newBuilder()
            .set(NAMESPACE, namespace)
            .set(APP, app)
            .set(TASK_TYPE, ChangeType.BACKUP.label());
    return (cluster.isEmpty() ? attributes : attributes.set(CLUSTER, cluster)).build();
  }

  /**
   * The attributes of a run of a test.
   *
   * @param kind {@code IntegrationTest} or {@code LoadTest}
   */
  public static SearchAttributes ofTest(String cluster, String namespace, String kind) {
    var attributes = SearchAttributes.newBuilder().set(NAMESPACE, namespace).set(TASK_TYPE, kind);
    return (cluster.isEmpty() ? attributes : attributes.set(CLUSTER, cluster)).build();
  }

  private static SearchAttributes.Builder identity(
      String cluster, String namespace, String app, long generation) {
    var attributes =
        SearchAttributes.newBuilder()
            .set(NAMESPACE, namespace)
            .set(APP, app)
            .set(GENERATION, generation);
    return cluster.isEmpty() ? attributes : attributes.set(CLUSTER, cluster);
  }
}
