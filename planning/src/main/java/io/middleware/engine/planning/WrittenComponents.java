package io.middleware.engine.planning;

import static java.util.stream.Collectors.toCollection;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.planning.app.DeployedComponent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The components of which a plan writes objects, by how it does so. */
record WrittenComponents(ChangePlan plan) {
  /** Tasks of these types write no objects of a component. */
  private static final Set<ChangeType> UNRENDERED =
      Set.of(ChangeType.BACKUP, ChangeType.REMOVE, ChangeType.CHECK);

  Set<String> all() {
    return of(type -> !UNRENDERED.contains(type));
  }

  /** Those whose volumes are expanded, or get another template. */
  Set<String> growing() {
    return of(ChangeType.STORAGE::equals);
  }

  /** Those of which other templates may be written, but whose volumes are left alone. */
  Set<String> rewritten() {
    var rewritten = of(type -> type == ChangeType.VERSION_UPGRADE || type == ChangeType.CONFIG);
    rewritten.removeAll(growing());
    return rewritten;
  }

  /** Those whose StatefulSets may be replaced by ones with other volume claim templates. */
  Set<String> replacing(List<DeployedComponent> deployed) {
    var replacing = growing();
    deployed.stream()
        .filter(component -> !component.everFinished())
        .map(DeployedComponent::component)
        .forEach(replacing::add);
    return replacing;
  }

  private Set<String> of(Predicate<ChangeType> type) {
    return plan.tasks().stream()
        .filter(task -> type.test(task.type()))
        .map(ChangeTask::component)
        .collect(toCollection(HashSet::new));
  }
}
