package io.middleware.engine.cluster;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.process.objects.OptimisticUpdate;
import io.middleware.engine.process.objects.StatusStore;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads the objects of a kind, and updates their statuses, as steps do: with failures that have a
 * {@link FaultKind}.
 *
 * @param contention the kind of the failure when each attempt has met a write conflict
 */
public record StatusUpdates<P, S, R extends CustomResource<P, S>>(
    StatusStore<P, S, R> store, OptimisticUpdate update, FaultKind contention) {

  /**
   * Of objects that many steps write at the same time.
   *
   * @param client with the engine's own rights
   * @param empty makes an object without spec and status
   */
  public static <P, S, R extends CustomResource<P, S>> StatusUpdates<P, S, R> ofManyWriters(
      KubernetesClient client, Class<R> kind, Supplier<R> empty) {
    return new StatusUpdates<>(
        new StatusStore<>(client, kind, empty),
        OptimisticUpdate.MANY_WRITERS,
        FaultKind.UNAVAILABLE);
  }

  /** The object of this name as it is now; empty when it is gone. */
  public Optional<R> find(String namespace, String name) {
    return Faults.attempt("read " + described(namespace, name), () -> store.find(namespace, name));
  }

  /**
   * Writes the status that {@code next} makes of the object as it is now; again after a write
   * conflict.
   *
   * @param next writes nothing when its result is empty
   * @return the object as it was written; empty when it is gone, or nothing was written
   */
  public Optional<R> write(String namespace, String name, Function<R, Optional<S>> next) {
    return update.update(
        () -> find(namespace, name),
        next,
        this::tryToWrite,
        () ->
            Faults.of(
                contention,
                "%s is changing too often for its status to be written; retrying"
                    .formatted(described(namespace, name))));
  }

  /** Writes once; empty when the object has changed since it was read, or is gone. */
  public Optional<R> tryToWrite(R seen, S status) {
    var metadata = seen.getMetadata();
    return Faults.attempt(
        "write the status of " + described(metadata.getNamespace(), metadata.getName()),
        () -> store.write(seen, status));
  }

  private String described(String namespace, String name) {
    return "%s %s/%s".formatted(store.kind().getSimpleName(), namespace, name);
  }
}
