package io.middleware.engine.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.process.objects.OptimisticUpdate;
import io.middleware.engine.process.objects.StatusStore;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** The Operations on the API server. */
public final class Operations {
  private final StatusUpdates<OperationSpec, OperationStatus, Operation> statuses;

  /**
   * @param client with the engine's own rights
   */
  public Operations(KubernetesClient client) {
    this.statuses =
        new StatusUpdates<>(
            new StatusStore<>(client, Operation.class, Operation::new),
            OptimisticUpdate.FEW_WRITERS,
            FaultKind.CONFLICT);
  }

  /**
   * The Operation that a run carries out, as it is now; empty when it is gone.
   *
   * @param change of an Operation
   */
  public Optional<Operation> find(ChangeRef change) {
    return change.operation().flatMap(ref -> find(change.namespace(), ref.name(), ref.uid()));
  }

  /** The Operation of this name and uid, as it is now; empty when it is gone. */
  public Optional<Operation> find(String namespace, String name, String uid) {
    return statuses.find(namespace, name).filter(operation -> isSame(uid, operation));
  }

  /**
   * Writes the status that {@code next} makes of the Operation as it is now; again after a write
   * conflict.
   *
   * @param next writes nothing when its result is empty
   * @return the Operation before the write; empty when it is gone, or nothing was written
   */
  public Optional<Operation> write(
      ChangeRef change, Function<Operation, Optional<OperationStatus>> next) {
    var before = new AtomicReference<Operation>();
    return change
        .operation()
        .flatMap(
            ref ->
                statuses.write(
                    change.namespace(),
                    ref.name(),
                    found -> {
                      before.set(found);
                      return isSame(ref.uid(), found) ? next.apply(found) : Optional.empty();
                    }))
        .map(written -> before.get());
  }

  private static boolean isSame(String uid, Operation found) {
    return uid.equals(found.getMetadata().getUid());
  }
}
