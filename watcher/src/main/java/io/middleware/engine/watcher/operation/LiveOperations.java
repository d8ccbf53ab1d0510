package io.middleware.engine.watcher.operation;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import java.net.HttpURLConnection;
import java.util.Optional;

/** Operations and their Apps on the API server. */
public final class LiveOperations implements OperationObjects {
  private final KubernetesClient client;

  public LiveOperations(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Optional<App> app(Operation operation) {
    return Optional.ofNullable(
        client
            .resources(App.class)
            .inNamespace(operation.getMetadata().getNamespace())
            .withName(operation.getSpec().app())
            .get());
  }

  @Override
  public void write(Operation seen, OperationStatus status) {
    if (status.equals(seen.getStatus())) {
      return;
    }
    var next = new Operation();
    next.setMetadata(seen.getMetadata());
    next.setSpec(seen.getSpec());
    next.setStatus(status);
    try {
      client.resource(next).updateStatus();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  @Override
  public void delete(Operation operation) {
    client
        .resource(operation)
        .lockResourceVersion(operation.getMetadata().getResourceVersion())
        .delete();
  }
}
