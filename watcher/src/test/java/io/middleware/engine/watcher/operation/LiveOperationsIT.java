package io.middleware.engine.watcher.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.watcher.request.LiveRequestsContract;
import org.junit.jupiter.api.Test;

class LiveOperationsIT extends LiveRequestsContract<Operation, OperationStatus> {
  LiveOperationsIT(LocalCluster cluster) {
    super(
        cluster,
        new OperationKind(null),
        "metadata: {name: %s}\nspec: {app: cache, action: Restart}");
  }

  @Test
  void shouldReadTheAppAsItIsNow() {
    // Given
    var objects = new LiveOperations(cluster.client(), null);
    var operation = create("one");
    // When Then
    assertThat(objects.app(operation)).as("there is none").isEmpty();
    // and then
    var app = cluster.createApp();
    assertThat(objects.app(operation).orElseThrow().getMetadata().getUid())
        .isEqualTo(app.getMetadata().getUid());
  }

  @Override
  public String message(Operation object) {
    return object.getStatus().message();
  }
}
