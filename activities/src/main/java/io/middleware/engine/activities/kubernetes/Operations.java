package io.middleware.engine.activities.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;
import java.util.function.Function;

/** The Operations on the API server. */
public final class Operations {
  private static final int TRIES = 8;

  private final KubernetesClient client;

  /**
   * @param client with the engine's own rights
   */
  public Operations(KubernetesClient client) {
    this.client = client;
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
    return Optional.ofNullable(
            Faults.attempt(
                "read Operation " + namespace + "/" + name,
                () ->
                    client.resources(Operation.class).inNamespace(namespace).withName(name).get()))
        .filter(operation -> uid.equals(operation.getMetadata().getUid()));
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
    for (int i = 0; i < TRIES; i++) {
      var found = find(change);
      var status = found.flatMap(next);
      if (status.isEmpty() || written(found.get(), status.get())) {
        return status.flatMap(it -> found);
      }
    }
    throw Faults.of(
        FaultKind.CONFLICT,
        "%s is changing too often for its status to be written; retrying"
            .formatted(change.subject()));
  }

  /** Returns false after a write conflict. */
  private boolean written(Operation found, OperationStatus status) {
    if (status.equals(found.getStatus())) {
      return true;
    }
    var next = new Operation();
    next.setMetadata(found.getMetadata());
    next.setSpec(found.getSpec());
    next.setStatus(status);
    try {
      client.resource(next).updateStatus();
      return true;
    } catch (KubernetesClientException e) {
      if (Faults.isStaleWrite(e)) {
        return false;
      }
      throw Faults.of("write the status of Operation " + found.getMetadata().getName(), e);
    }
  }
}
