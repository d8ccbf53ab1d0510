package io.middleware.engine.activities.resources;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.process.objects.OptimisticUpdate;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Optional;
import java.util.function.Supplier;

/** Writes of a Component that others may write as well. */
final class ComponentWrites {
  private ComponentWrites() {}

  /**
   * On a write conflict, reads again and re-checks the fence before the next attempt.
   *
   * @param attempt empty on a conflict
   * @throws io.temporal.failure.ApplicationFailure of kind CONFLICT when all attempts were in vain
   */
  static <T> T retryOnConflict(TaskRef task, Supplier<Optional<T>> attempt) {
    return OptimisticUpdate.FEW_WRITERS.retry(
        attempt,
        () ->
            Faults.of(
                FaultKind.CONFLICT,
                "Component %s is changing too often to be written; retrying"
                    .formatted(task.component())));
  }
}
