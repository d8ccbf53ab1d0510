package io.middleware.engine.watcher.endpoints;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.process.EngineMetric;
import java.util.Optional;

/** Writes them to the API server, which compares the versions. */
public final class KubernetesSliceWriter implements SliceWriter {
  private final KubernetesClient client;
  private final MeterRegistry registry;

  public KubernetesSliceWriter(KubernetesClient client, MeterRegistry registry) {
    this.client = client;
    this.registry = registry;
  }

  @Override
  public void write(EndpointSlice desired, Optional<EndpointSlice> before) {
    if (before.isEmpty()) {
      client.resource(desired).create();
    } else {
      replace(desired, before.get().getMetadata().getResourceVersion());
    }
    EngineMetric.ENDPOINT_WRITES.counter(registry).increment();
  }

  /** Without a look at it first, which would need another right. */
  private void replace(EndpointSlice desired, String version) {
    var meta = desired.getMetadata();
    var path =
        "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices/%s"
            .formatted(meta.getNamespace(), meta.getName());
    var versioned =
        new EndpointSliceBuilder(desired)
            .editMetadata()
            .withResourceVersion(version)
            .endMetadata()
            .build();
    client.raw(path, "PUT", versioned);
  }
}
