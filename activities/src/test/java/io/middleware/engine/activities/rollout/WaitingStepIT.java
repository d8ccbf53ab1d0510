package io.middleware.engine.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.ConvergeRequest;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Steps wait for the pods of the group {@code g}, and for nothing else. */
@ExtendWith(ApiServer.class)
class WaitingStepIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  private App app;
  private GroupRef group;
  private FakeWorkload workload;
  private Pod pod;
  private PodActivities activities;

  WaitingStepIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() {
    app = cluster.createApp();
    var task = new TaskRef(engine.begin(app), "1-remove-db", ChangeType.REMOVE, "db");
    group = new GroupRef(task, "g");
    workload = new FakeWorkload(cluster, 1);
    pod = workload.create(0, "old", true);
    activities = LocalPodActivities.start(temporal, cluster, engine);
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  @Test
  void shouldNotWaitForAPodThatOnlyCarriesTheLabels() throws Exception {
    // Given
    var debug = cluster.create(unowned(pod));
    awaitSeen(debug);
    // When
    var gone =
        CompletableFuture.runAsync(() -> activities.awaitGone(group), Thread::startVirtualThread);
    cluster.await().until(() -> !engine.heartbeats.isEmpty());
    assertThat(engine.heartbeats)
        .allSatisfy(it -> assertThat(it).contains("cache-db-g-0").doesNotContain("debug"));
    cluster.client().resource(pod).withGracePeriod(0).delete();
    // Then
    gone.get(4, TimeUnit.MINUTES);
    assertThat(cluster.now(debug).isMarkedForDeletion()).isFalse();
  }

  @Test
  void shouldNotDeleteAPodByForceThatOnlyCarriesTheLabels() {
    // Given
    var debug = cluster.create(unowned(pod));
    awaitSeen(debug);
    deleteApp("true");
    // When
    activities.awaitGone(group);
    // Then
    cluster.await().until(() -> cluster.now(pod) == null);
    assertThat(cluster.now(debug).isMarkedForDeletion()).isFalse();
  }

  @Test
  void shouldNameThePodThatHoldsADeletionInACondition() {
    // Given
    deleteApp("false");
    // When
    CompletableFuture.runAsync(() -> activities.awaitGone(group), Thread::startVirtualThread);
    // Then
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.now(app).getStatus().conditions())
                    .filteredOn(it -> it.getType().equals("TeardownBlocked"))
                    .extracting(Condition::getReason, Condition::getMessage)
                    .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                            "PodsRemain", "pod cache-db-g-0: still exists: not deleted yet")));
    cluster.client().resource(pod).withGracePeriod(0).delete();
  }

  @Test
  void shouldFailWhenTheStatefulSetIsDeletedThatItWaitsFor() {
    // Given
    var applied = applied();
    cluster.named(StatefulSet.class, FakeWorkload.NAME).delete();
    // When Then
    assertDeleted(
        () -> activities.awaitConverged(new ConvergeRequest(upgrade(), Optional.of(applied))));
    assertDeleted(
        () ->
            activities.replacePod(
                new ReplaceRequest(
                    upgrade(),
                    applied,
                    new OutdatedPod("cache-db-g-0", pod.getMetadata().getUid(), Optional.empty()),
                    1,
                    AgentEndpoint.NONE,
                    false,
                    false)));
  }

  @Test
  void shouldFailWhenADeploymentIsDeletedThatItWaitsFor() throws Exception {
    // Given
    var applied = applied();
    workload.report("old", 1);
    var deployment = createDeployment();
    // When
    var converged =
        CompletableFuture.runAsync(
            () -> activities.awaitConverged(new ConvergeRequest(upgrade(), Optional.of(applied))),
            Thread::startVirtualThread);
    cluster
        .await()
        .until(() -> engine.heartbeats.stream().anyMatch(it -> it.contains("cache-db-g-front")));
    cluster.client().resource(deployment).delete();
    // Then
    assertThatThrownBy(() -> converged.get(4, TimeUnit.MINUTES))
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Conflict"))
        .hasMessageContaining(
            "Deployment cache-db-g-front was deleted while the task was working on it");
  }

  private Deployment createDeployment() {
    var labels = Labels.selector("cache", "db", "g");
    return cluster.create(
        new DeploymentBuilder()
            .withNewMetadata()
            .withName("cache-db-g-front")
            .withLabels(labels)
            .withOwnerReferences(workload.set().getMetadata().getOwnerReferences())
            .endMetadata()
            .withNewSpec()
            .withReplicas(1)
            .withNewSelector()
            .withMatchLabels(labels)
            .endSelector()
            .withTemplate(workload.set().getSpec().getTemplate())
            .endSpec()
            .build());
  }

  private GroupRef upgrade() {
    var change = group.task().change();
    return new GroupRef(
        new TaskRef(change, "1-versionupgrade-db", ChangeType.VERSION_UPGRADE, "db"), "g");
  }

  private static void assertDeleted(ThrowingCallable step) {
    assertThatThrownBy(step)
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Conflict"))
        .hasMessageContaining(
            "StatefulSet cache-db-g was deleted while the task was working on it");
  }

  private AppliedStatefulSet applied() {
    var metadata = workload.set().getMetadata();
    return new AppliedStatefulSet(metadata.getName(), metadata.getGeneration(), metadata.getUid());
  }

  private void deleteApp(String byForce) {
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.getMetadata().setFinalizers(List.of(Labels.TEARDOWN));
              it.getMetadata().getAnnotations().put(Labels.FORCE_DELETE, byForce);
              return it;
            });
    cluster.client().resource(app).delete();
    var key = new AppKey(cluster.namespace(), "cache");
    cluster.awaitSeen(() -> cluster.view().app(key).filter(App::isMarkedForDeletion).isPresent());
  }

  private static Pod unowned(Pod pod) {
    return pod.edit()
        .withNewMetadata()
        .withName("debug")
        .withLabels(Labels.selector("cache", "db", "g"))
        .endMetadata()
        .withStatus(null)
        .build();
  }

  private void awaitSeen(Pod expected) {
    var key = new AppKey(cluster.namespace(), "cache");
    cluster.awaitSeen(
        () ->
            cluster.view().pods(key).stream()
                .anyMatch(it -> it.name().equals(expected.getMetadata().getName())));
  }
}
