package io.middleware.engine.watcher.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.watcher.TestClock;
import io.middleware.engine.watcher.apiserver.ClusterCase;
import io.middleware.engine.watcher.apiserver.SeenDeletionsContract;
import io.middleware.engine.watcher.apiserver.StatusWritesContract;
import io.middleware.engine.watcher.control.ControlEvents;
import io.middleware.engine.watcher.control.EventPublisher;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveOperationsIT extends ClusterCase<Operation>
    implements StatusWritesContract<Operation>, SeenDeletionsContract<Operation> {
  private final LiveOperations objects;

  LiveOperationsIT(LocalCluster cluster) {
    super(cluster);
    var client = cluster.client();
    this.objects =
        new LiveOperations(
            client, new EventPublisher(client, new ControlEvents("test", new TestClock())));
  }

  @Test
  void shouldReadTheAppAsItIsNow() {
    // Given
    var operation = create("one");
    // When Then
    assertThat(objects.app(operation)).as("there is none").isEmpty();
    // and then
    var app = cluster.createApp();
    assertThat(objects.app(operation).orElseThrow().getMetadata().getUid())
        .isEqualTo(app.getMetadata().getUid());
  }

  @Test
  void shouldSayWhetherItHasWritten() {
    // Given
    var seen = create("one");
    var status = OperationStatus.pending("waits");
    // When Then
    assertThat(objects.write(seen, status)).isTrue();
    assertThat(objects.write(seen, OperationStatus.pending("out of date"))).isFalse();
    // and then
    var written = cluster.now(seen);
    assertThat(objects.write(written, status)).as("it is there").isFalse();
    assertThat(cluster.now(seen).getMetadata().getResourceVersion())
        .isEqualTo(written.getMetadata().getResourceVersion());
  }

  @Test
  void shouldWriteNothingButTheStatus() {
    // Given
    var seen = create("one");
    seen.getMetadata().setLabels(Map.of("only", "here"));
    // When
    objects.write(seen, OperationStatus.pending("waits"));
    // Then
    assertThat(cluster.now(seen).getMetadata().getLabels()).isNullOrEmpty();
  }

  @Override
  public Operation create(String name) {
    return cluster.create(
        Operation.class,
        "metadata: {name: %s}\nspec: {app: cache, action: Restart}".formatted(name));
  }

  @Override
  public String plural() {
    return "operations";
  }

  @Override
  public void write(Operation seen, String message) {
    objects.write(seen, OperationStatus.pending(message));
  }

  @Override
  public String message(Operation object) {
    return object.getStatus().message();
  }

  @Override
  public void delete(Operation seen) {
    objects.delete(seen);
  }
}
