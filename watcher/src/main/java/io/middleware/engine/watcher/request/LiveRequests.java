package io.middleware.engine.watcher.request;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;

/** The requests of a kind, read past the cache. */
public record LiveRequests<T extends HasMetadata>(KubernetesClient client, Class<T> type)
    implements RequestObjects<T> {

  @Override
  public Optional<T> live(T seen) {
    var meta = seen.getMetadata();
    return Optional.ofNullable(
            client.resources(type).inNamespace(meta.getNamespace()).withName(meta.getName()).get())
        .filter(now -> now.getMetadata().getUid().equals(meta.getUid()));
  }

  @Override
  public boolean writeStatus(T live) {
    try {
      client.resource(live).updateStatus();
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
      return false;
    }
  }

  @Override
  public void delete(T seen) {
    client.resource(seen).lockResourceVersion(seen.getMetadata().getResourceVersion()).delete();
  }
}
