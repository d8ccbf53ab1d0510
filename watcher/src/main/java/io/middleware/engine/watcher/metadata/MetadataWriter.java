package io.middleware.engine.watcher.metadata;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes the metadata ConfigMaps of a namespace. */
public interface MetadataWriter {

  /**
   * Writes the given keys of one ConfigMap, leaves all others unchanged, and creates it if needed;
   * may be repeated.
   *
   * @param map its name
   * @param keys each with its text, or empty to remove it
   * @return the keys for which the ConfigMap has no room
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when the write failed, at least
   *     in part, for another reason
   */
  Set<String> write(String namespace, String map, Map<String, Optional<String>> keys);
}
