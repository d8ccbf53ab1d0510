package io.middleware.engine.watcher.endpoints;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.Optional;

/** Writes EndpointSlices. */
@FunctionalInterface
public interface SliceWriter {

  /**
   * Creates the slice, or replaces the version that was read; writes nothing when there is another
   * one by now.
   *
   * @param before the version that was read; empty: there was none
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when it is not written; with
   *     code 409 when there is another version
   */
  void write(EndpointSlice desired, Optional<EndpointSlice> before);
}
