package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.WorkflowIds;
import java.util.Optional;

/**
 * What a run carries out: an edit of its App, or an Operation on what is deployed. On the wire it
 * is the generation and the optional Operation of {@link ChangeRef}.
 */
public sealed interface Work permits Work.Edit, OperationRef {

  /** The Operation, if there is one; otherwise the edit that made this generation. */
  static Work of(Optional<OperationRef> operation, long generation) {
    return operation.<Work>map(it -> it).orElseGet(() -> new Edit(generation));
  }

  /** Its name for people: {@code generation 7}, or {@code Operation restart-1 (Restart)}. */
  String subject();

  /** Whether it is an Operation that excludes nothing: it has no run lock, and writes no object. */
  default boolean shared() {
    return false;
  }

  /** Whether it is the first change of its App. */
  default boolean firstOfItsApp() {
    return false;
  }

  /** The id of the root workflow that carries it out on this App. */
  default String workflowId(String cluster, String namespace, String app) {
    return WorkflowIds.app(cluster, namespace, app);
  }

  /** The change of a generation of the App's spec, also of its deletion. */
  record Edit(long generation) implements Work {
    @Override
    public String subject() {
      return "generation " + generation;
    }

    @Override
    public boolean firstOfItsApp() {
      return generation == 1;
    }
  }
}
