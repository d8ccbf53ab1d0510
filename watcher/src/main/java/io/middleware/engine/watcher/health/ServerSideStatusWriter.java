package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.process.EngineMetric;
import java.net.HttpURLConnection;

/**
 * Writes by server-side apply under the watcher's own field manager. The apply is forced, so that
 * it corrects a status that was edited by hand or restored from a backup; no other writer of the
 * engine owns these fields.
 */
public final class ServerSideStatusWriter implements StatusWriter {
  private final KubernetesClient client;
  private final PatchContext apply;
  private final MeterRegistry registry;

  public ServerSideStatusWriter(
      KubernetesClient client, String fieldManager, MeterRegistry registry) {
    this.client = client;
    this.registry = registry;
    this.apply =
        new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(fieldManager)
            .withForce(true)
            .build();
  }

  @Override
  public void write(HasMetadata bare) {
    try {
      client.resource(bare).subresource("status").patch(apply);
      EngineMetric.HEALTH_WRITES.counter(registry, bare.getKind()).increment();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }
}
