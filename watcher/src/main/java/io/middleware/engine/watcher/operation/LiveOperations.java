package io.middleware.engine.watcher.operation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import io.middleware.engine.watcher.control.EventPublisher;
import java.net.HttpURLConnection;
import java.util.Optional;

/** Operations and their Apps on the API server. */
public final class LiveOperations implements OperationObjects {
  private static final String ACTION = "Operation";

  private final KubernetesClient client;
  private final EventPublisher events;

  public LiveOperations(KubernetesClient client, EventPublisher events) {
    this.client = client;
    this.events = events;
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
  public boolean write(Operation seen, OperationStatus status) {
    if (status.equals(seen.getStatus())) {
      return false;
    }
    var next = new Operation();
    next.setMetadata(seen.getMetadata());
    next.setSpec(seen.getSpec());
    next.setStatus(status);
    try {
      client.resource(next).updateStatus();
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
  public void publish(HasMetadata object, ControlOutcome outcome) {
    events.publish(object, ACTION, outcome);
  }

  @Override
  public void delete(Operation operation) {
    client
        .resource(operation)
        .lockResourceVersion(operation.getMetadata().getResourceVersion())
        .delete();
  }
}
