package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.api.task.FaultKind;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads tests, and writes their statuses.
 *
 * @param <P> the spec
 * @param <S> the status
 * @param <R> the kind of test
 */
public final class TestStatusWriter<P, S, R extends CustomResource<P, S>> {
  /** Many, as the steps of a parallel test write at the same time. */
  private static final int TRIES = 30;

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

  private final KubernetesClient client;
  private final Class<R> kind;
  private final Supplier<R> empty;

  /**
   * @param client with the engine's own rights
   * @param empty makes an object without spec and status
   */
  public TestStatusWriter(KubernetesClient client, Class<R> kind, Supplier<R> empty) {
    this.client = client;
    this.kind = kind;
    this.empty = empty;
  }

  /** The test of this name as it is now; empty when it is gone. */
  public Optional<R> find(String namespace, String name) {
    return Optional.ofNullable(
        Faults.attempt(
            "read %s %s/%s".formatted(kind.getSimpleName(), namespace, name),
            () -> client.resources(kind).inNamespace(namespace).withName(name).get()));
  }

  /**
   * Writes the status that {@code next} makes of the test as it is now; again after a write
   * conflict.
   *
   * @param next writes nothing when its result is empty
   * @return the test as it was written; empty when it is gone, or nothing was written
   */
  public Optional<R> write(String namespace, String name, Function<R, Optional<S>> next) {
    for (var i = 0; i < TRIES; i++) {
      var found = find(namespace, name);
      var status = found.flatMap(next);
      if (status.isEmpty()) {
        return Optional.empty();
      }
      var written = written(found.get(), status.get());
      if (written.isPresent()) {
        return written;
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE.toNanos()));
    }
    throw Faults.of(
        FaultKind.UNAVAILABLE,
        "%s %s/%s is changing too often for its status to be written; retrying"
            .formatted(kind.getSimpleName(), namespace, name));
  }

  /** Empty after a write conflict. */
  private Optional<R> written(R found, S status) {
    if (status.equals(found.getStatus())) {
      return Optional.of(found);
    }
    var next = empty.get();
    next.setMetadata(found.getMetadata());
    next.setSpec(found.getSpec());
    next.setStatus(status);
    try {
      return Optional.of(client.resource(next).updateStatus());
    } catch (KubernetesClientException e) {
      if (Faults.isStaleWrite(e) || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw Faults.of(
          "write the status of %s %s/%s"
              .formatted(
                  kind.getSimpleName(),
                  found.getMetadata().getNamespace(),
                  found.getMetadata().getName()),
          e);
    }
  }
}
