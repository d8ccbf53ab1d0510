package io.middleware.engine.watcher.operation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import io.middleware.engine.watcher.control.EventPublisher;
import java.util.Optional;

/** The Apps of Operations on the API server, and events there. */
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
  public void publish(HasMetadata object, ControlOutcome outcome) {
    events.publish(object, ACTION, outcome);
  }
}
