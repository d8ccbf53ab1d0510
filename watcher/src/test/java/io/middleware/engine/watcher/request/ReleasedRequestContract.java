package io.middleware.engine.watcher.request;

import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The same for requests that leave nothing behind: the end of the run, or none, releases them. */
public abstract class ReleasedRequestContract<T extends CustomResource<?, ?>>
    extends HeldRequestContract<T> {
  protected ReleasedRequestContract(LocalCluster cluster, LocalTemporal server, String finalizer) {
    super(cluster, server, finalizer);
  }

  @Test
  void shouldReleaseARequestThatHasNotBegun() {
    // Given
    var request = submitted("not-begun");
    // When Then
    remove(request);
  }

  @Test
  void shouldReleaseARequestThatHasEnded() {
    // Given
    var request = begun("ended");
    // When
    end(request, Instant.now());
    // Then
    awaitReleased(request);
  }

  @Test
  void shouldDeleteARequestLongAfterItsEnd() {
    // Given
    var request = begun("old");
    // When
    end(request, Instant.EPOCH);
    // Then
    cluster.await().until(() -> cluster.now(request) == null);
  }

  @Override
  final void settle(T request) {
    awaitReleased(request);
  }

  private void awaitReleased(T request) {
    cluster.await().until(() -> cluster.now(request).getFinalizers().isEmpty());
  }
}
