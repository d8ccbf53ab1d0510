package io.middleware.engine.activities.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.volumes.VolumeClaims;
import io.middleware.engine.api.operation.RebuildStatus;
import io.middleware.engine.api.operation.RebuildStatus.RebuiltClaim;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pod of number 1 is made anew; the test acts as the controllers. */
@ExtendWith(ApiServer.class)
class PodRebuildIT {
  private static final String POD = "cache-db-g-1";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final OperationOnPods operation;
  private final AgentChannels channels = new AgentChannels(name -> null);
  private FakeAgent zero;
  private FakeAgent one;
  private GroupRef group;
  private FakeWorkload workload;
  private Pod pod;
  private PersistentVolumeClaim claim;

  PodRebuildIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.operation = new OperationOnPods(cluster, engine);
  }

  @BeforeEach
  void begin() throws IOException {
    zero = new FakeAgent("127.0.0.10", 0);
    one = new FakeAgent("127.0.0.11", zero.port());
    zero.role = "primary";
    one.role = "replica";
    group = operation.begin(OperationAction.REBUILD, ChangeType.REBUILD, POD);
    workload = new FakeWorkload(cluster, 2);
    workload.create(0, "new", true);
    pod = workload.create(1, "new", true);
    claim = workload.createClaim(1);
  }

  @AfterEach
  void stop() {
    channels.close();
    zero.close();
    one.close();
  }

  @Test
  void shouldRemoveThePodWithItsVolumeAndWaitForAnother() throws Exception {
    // When
    var rebuild = rebuild();
    // Then
    workload.awaitGone(pod);
    assertThat(operation.status().rebuild(POD)).hasValue(recorded());
    assertThat(cluster.now(claim).isMarkedForDeletion()).isTrue();
    engine.awaitHeartbeat("volume claim data-cache-db-g-1: is being deleted");
    // and when the controllers have made both again
    workload.release(claim);
    engine.awaitHeartbeat("pod cache-db-g-1: not created yet");
    var newClaim = workload.createClaim(1);
    var successor = workload.create(1, "new", true);
    rebuild.get(4, TimeUnit.MINUTES);
    assertThat(operation.status().rebuild(POD))
        .hasValue(recorded().doneAs(successor.getMetadata().getUid()));
    // and a repeat
    rebuild().get(4, TimeUnit.MINUTES);
    assertThat(cluster.now(successor).isMarkedForDeletion()).isFalse();
    assertThat(cluster.now(newClaim).isMarkedForDeletion()).isFalse();
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .extracting(event -> event.getReason())
                    .contains("PodRemovedForRebuild", "PodRebuilt"));
  }

  @Test
  void shouldDeleteNothingNewAfterACrash() throws Exception {
    // Given a process that died after it had removed both
    write(recorded());
    workload.delete(pod);
    cluster.client().resource(claim).delete();
    workload.release(claim);
    var newClaim = workload.createClaim(1);
    var successor = workload.create(1, "new", true);
    // When
    rebuild().get(4, TimeUnit.MINUTES);
    // Then
    assertThat(cluster.now(successor).isMarkedForDeletion()).isFalse();
    assertThat(cluster.now(newClaim).isMarkedForDeletion()).isFalse();
    assertThat(operation.status().rebuild(POD).orElseThrow().newUid())
        .isEqualTo(successor.getMetadata().getUid());
  }

  @Test
  void shouldFinishWhatWasLeftHalfWay() throws Exception {
    // Given a process that died after it had deleted the claim
    write(recorded());
    cluster.client().resource(claim).delete();
    // When
    var rebuild = rebuild();
    // Then
    workload.awaitGone(pod);
    workload.release(claim);
    workload.createClaim(1);
    workload.create(1, "new", true);
    rebuild.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldDeleteNoVolumeWhileABudgetKeepsThePod() throws Exception {
    // Given
    var budget = workload.createBudget(0);
    // When
    var rebuild = rebuild();
    // Then
    engine.awaitHeartbeat("pod cache-db-g-1: Cannot evict pod");
    assertThat(cluster.now(claim).isMarkedForDeletion()).isFalse();
    // and when the budget allows it
    workload.allow(budget, 1);
    workload.awaitGone(pod);
    workload.release(claim);
    workload.createClaim(1);
    workload.create(1, "new", true);
    rebuild.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldRefuseWhileAnotherPodIsNotReady() {
    // Given
    workload.delete(cluster.named(Pod.class, "cache-db-g-0").get());
    workload.create(0, "new", false);
    // When Then
    assertRefused(
        "pod cache-db-g-0 is not ready; a pod is rebuilt only while all others of its group are ready");
  }

  @Test
  void shouldRefuseWhileAnotherPodLosesItsVolume() {
    // Given
    var other = workload.createClaim(0);
    cluster.client().resource(other).delete();
    // When Then
    assertRefused(
        "volume claim data-cache-db-g-0 of another pod is being deleted; a pod is rebuilt only while all others of its group are ready");
    assertThat(cluster.now(claim).isMarkedForDeletion()).isFalse();
  }

  @Test
  void shouldRefuseThePrimary() {
    // Given
    zero.role = "replica";
    one.role = "primary";
    // When Then
    assertRefused(
        "pod cache-db-g-1 is the primary of group g; move the primary with a Switchover first");
  }

  private void assertRefused(String why) {
    assertThatThrownBy(() -> step().run())
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("OperationRefused");
              assertThat(e.getOriginalMessage()).isEqualTo(why);
            });
    assertThat(operation.status().rebuild(POD)).isEmpty();
    assertThat(cluster.now(pod).isMarkedForDeletion()).isFalse();
    assertThat(cluster.now(claim).isMarkedForDeletion()).isFalse();
  }

  private CompletableFuture<Void> rebuild() {
    return CompletableFuture.runAsync(step()::run, Thread::startVirtualThread);
  }

  private PodRebuild step() {
    var steps = operation.steps(cluster.view());
    var queries = new AgentQueries(channels, new AgentPolicy(Duration.ofSeconds(2), 1, 1024));
    return new PodRebuild(
        steps,
        new VolumeClaims(cluster.client(), engine.writers),
        new Operations(cluster.client()),
        new GroupPrimary(steps, queries, new AgentEndpoint(zero.port(), ""), group),
        group,
        POD);
  }

  private RebuildStatus recorded() {
    var metadata = claim.getMetadata();
    return new RebuildStatus(
        POD,
        pod.getMetadata().getUid(),
        List.of(new RebuiltClaim(metadata.getName(), metadata.getUid())),
        null);
  }

  private void write(RebuildStatus known) {
    new Operations(cluster.client())
        .write(group.change(), found -> Optional.of(found.getStatus().with(known)));
  }
}
