package io.middleware.engine.watcher.metadata;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes the ConfigMap of a namespace. */
public interface MetadataWriter {

  /**
   * Makes these keys say what is given, leaves all others alone, and makes the ConfigMap if need
   * be; may be repeated.
   *
   * @param keys each with its text, or empty: it goes
   * @return the keys that found no room
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when nothing, or not all, of it
   *     was written for another reason
   */
  Set<String> write(String namespace, Map<String, Optional<String>> keys);
}
