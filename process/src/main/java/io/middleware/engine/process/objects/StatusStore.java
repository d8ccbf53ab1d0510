package io.middleware.engine.process.objects;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The objects of a kind on the API server, whose statuses belong to the engine.
 *
 * @param <P> the spec
 * @param <S> the status
 * @param <R> the kind
 * @param client with the engine's own rights
 * @param empty makes an object without spec and status
 */
public record StatusStore<P, S, R extends CustomResource<P, S>>(
    KubernetesClient client, Class<R> kind, Supplier<R> empty) {

  /**
   * The object of this name as it is now; empty when there is none.
   *
   * @throws KubernetesClientException when the API server refuses, or does not answer
   */
  public Optional<R> find(String namespace, String name) {
    return Optional.ofNullable(client.resources(kind).inNamespace(namespace).withName(name).get());
  }

  /**
   * Writes the status onto the version that was read. Writes nothing when it has that status.
   *
   * @return the object as it is written; empty when it has changed since, or is gone
   * @throws KubernetesClientException when the API server refuses for another reason, or does not
   *     answer
   */
  public Optional<R> write(R seen, S status) {
    if (status.equals(seen.getStatus())) {
      return Optional.of(seen);
    }
    var next = empty.get();
    next.setMetadata(seen.getMetadata());
    next.setSpec(seen.getSpec());
    next.setStatus(status);
    try {
      return Optional.of(client.resource(next).updateStatus());
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
      return Optional.empty();
    }
  }
}
