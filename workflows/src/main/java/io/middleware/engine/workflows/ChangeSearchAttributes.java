package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
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

  /** All that the Temporal namespace must have. */
  public static final List<SearchAttributeKey<?>> ALL =
      List.of(APP, NAMESPACE, PLUGIN, GENERATION, OUTCOME, TASK_TYPE);

  private ChangeSearchAttributes() {}

  /** The attributes of a run of {@link AppChangeWorkflow}. */
  public static SearchAttributes ofChange(ChangeRequest request) {
    var attributes = identity(request.namespace(), request.app(), request.generation());
    request.plugin().ifPresent(plugin -> attributes.set(PLUGIN, plugin));
    return attributes.build();
  }

  /** The attributes of a child that carries out a task or a group's part of it. */
  static SearchAttributes ofTask(ChangeRef change, ChangeType type) {
    return identity(change.namespace(), change.app(), change.generation())
        .set(TASK_TYPE, type.label())
        .build();
  }

  private static SearchAttributes.Builder identity(String namespace, String app, long generation) {
    return SearchAttributes.newBuilder()
        .set(NAMESPACE, namespace)
        .set(APP, app)
        .set(GENERATION, generation);
  }
}
