package io.middleware.engine.process.agents;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;

/** Reads the Secrets with the certificates that the engine presents to agents. */
@FunctionalInterface
public interface TlsSecrets {
  /**
   * The Secret as it is, or was at most a minute ago.
   *
   * @throws InvalidSecretException when it does not exist or is empty
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when it cannot be read
   */
  TlsSecret read(String name);

  /**
   * @param client with the engine's own permissions
   * @param namespace the engine's own namespace
   */
  static TlsSecrets in(KubernetesClient client, String namespace) {
    Cache<String, TlsSecret> cache =
        CacheBuilder.newBuilder().expireAfterWrite(Duration.ofMinutes(1)).build();
    return name -> {
      var cached = cache.getIfPresent(name);
      if (cached != null) {
        return cached;
      }
      var read = read(client, namespace, name);
      cache.put(name, read);
      return read;
    };
  }

  private static TlsSecret read(KubernetesClient client, String namespace, String name) {
    var place = namespace + "/" + name;
    var secret = client.resources(Secret.class).inNamespace(namespace).withName(name).get();
    if (secret == null) {
      throw new InvalidSecretException(place, "does not exist");
    }
    if (secret.getData() == null) {
      throw new InvalidSecretException(place, "is empty");
    }
    return new TlsSecret(place, secret.getMetadata().getResourceVersion(), secret.getData());
  }
}
