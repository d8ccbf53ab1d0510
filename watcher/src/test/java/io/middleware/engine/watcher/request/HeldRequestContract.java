package io.middleware.engine.watcher.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.process.servers.OnTemporal;
import io.middleware.engine.watcher.LocalOperator;
import io.middleware.engine.watcher.apiserver.ClusterCase;
import io.middleware.engine.watcher.change.RunsOnTemporal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** A finalizer holds a request from before its run begins until the run has ended. */
@ExtendWith(OnTemporal.class)
@TestInstance(Lifecycle.PER_CLASS)
public abstract class HeldRequestContract<T extends CustomResource<?, ?>> extends ClusterCase<T> {
  protected final RunsOnTemporal temporal;
  private final String finalizer;
  private LocalOperator operator;

  protected HeldRequestContract(LocalCluster cluster, LocalTemporal server, String finalizer) {
    super(cluster);
    this.temporal = new RunsOnTemporal(server);
    this.finalizer = finalizer;
  }

  protected abstract RequestReconciler<T> reconciler();

  /** Id of the workflow of the request of this name, without the cluster. */
  protected abstract String workflowId(String name);

  /** A phase in which the run is, and one in which it has ended. */
  protected abstract List<String> phases();

  /** Returns once the watchers have done what is to be done after the end. */
  void settle(T request) {}

  @BeforeAll
  void start() {
    operator = startWatcher();
  }

  @AfterAll
  void stop() {
    operator.close();
  }

  @Test
  void shouldHoldARequestBeforeItsRunBegins() {
    // When
    var request = submitted("new");
    // Then
    assertThat(cluster.now(request).getFinalizers()).containsExactly(finalizer);
  }

  @Test
  void shouldHoldARequestThatIsDeletedUntilItsRunHasStopped() {
    // Given
    var request = begun("deleted");
    // When
    deleteAndEnd(request);
    // Then
    cluster.await().until(() -> cluster.now(request) == null);
  }

  @Test
  void shouldReleaseNothingButItsOwnFinalizer() {
    // Given
    var request = begun("held-by-another");
    edit(request, it -> it.addFinalizer(HELD));
    // When
    deleteAndEnd(request);
    // Then
    cluster.await().until(() -> cluster.now(request).getFinalizers().equals(List.of(HELD)));
  }

  /** One takes over while the other is not gone yet. */
  @Test
  void shouldDoNoHarmWhenTwoWatchersAct() {
    try (var other = startWatcher()) {
      // Given
      var request = begun("twice");
      assertThat(cluster.now(request).getFinalizers()).containsExactly(finalizer);
      // When
      end(request, Instant.now());
      // Then
      settle(request);
      remove(request);
      assertThat(other).isNotNull();
    }
  }

  private LocalOperator startWatcher() {
    var reconciler = reconciler();
    return LocalOperator.start(
        cluster, reconciler, requests -> reconciler.configure(requests, true));
  }

  private void deleteAndEnd(T request) {
    var workflow = workflowId(request.getMetadata().getName());
    cluster.client().resource(request).delete();
    cluster.await().until(() -> temporal.isCancelled(workflow));
    assertThat(cluster.now(request).getFinalizers()).contains(finalizer);
    temporal.end(workflow);
    touch(request);
  }

  /** Creates a request, and returns once its run is open. */
  protected final T submitted(String name) {
    var request = create(name);
    cluster.await().until(() -> temporal.isOpen(workflowId(name)));
    return request;
  }

  /** The same, which its run has begun. */
  protected final T begun(String name) {
    var request = submitted(name);
    var run = temporal.describe(workflowId(name)).getExecution();
    cluster.patchStatus(
        request,
        "{\"phase\": \"%s\", \"workflowId\": \"%s\", \"runId\": \"%s\"}"
            .formatted(phases().getFirst(), run.getWorkflowId(), run.getRunId()));
    return request;
  }

  final void end(T request, Instant at) {
    temporal.end(workflowId(request.getMetadata().getName()));
    cluster.patchStatus(
        request, "{\"phase\": \"%s\", \"completedAt\": \"%s\"}".formatted(phases().getLast(), at));
  }
}
