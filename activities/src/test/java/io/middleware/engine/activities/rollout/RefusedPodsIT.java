package io.middleware.engine.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
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
import io.temporal.testing.TestActivityEnvironment;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The API server refuses pods of the group {@code g}; its controllers say so in their own ways. */
@ExtendWith(ApiServer.class)
class RefusedPodsIT {
  private static final String QUOTA =
      "pods \"cache-db-g-1\" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=1";
  private static final String SHOWN =
      "pod cache-db-g-1: cannot be created: exceeded quota: pods, requested: pods=1, used: pods=1";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  private App app;
  private GroupRef group;
  private FakeWorkload workload;
  private PodActivities activities;

  RefusedPodsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() {
    app = cluster.createApp();
    var task = new TaskRef(engine.begin(app), "1-provision-db", ChangeType.PROVISION, "db");
    group = new GroupRef(task, "g");
    workload = new FakeWorkload(cluster, 2);
    activities = LocalPodActivities.start(temporal, cluster, engine);
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  @Test
  void shouldShowWhyAPodOfAStatefulSetIsMissing() throws Exception {
    // Given
    workload.create(0, "new", true);
    said("FailedCreate", "cache-db-g-1", QUOTA);
    assertThat(activities.blocker(group.task())).contains(SHOWN);
    // When
    var converged = converge();
    // Then
    awaitShown(SHOWN);
    // and when there is room again
    workload.create(1, "new", true);
    converged.get(4, TimeUnit.MINUTES);
    cluster.await().until(() -> progress() == null);
  }

  @Test
  void shouldShowWhyAReplacedPodDoesNotComeBack() throws Exception {
    // Given
    workload.create(0, "new", true);
    said("FailedCreate", "cache-db-g-1", QUOTA);
    var ordered = new OutdatedPod("cache-db-g-1", "gone", Optional.empty());
    // When
    var replaced =
        CompletableFuture.runAsync(
            () ->
                activities.replacePod(
                    new ReplaceRequest(
                        group, applied(), ordered, 1, AgentEndpoint.NONE, false, false)),
            Thread::startVirtualThread);
    // Then
    awaitShown(SHOWN);
    workload.create(1, "new", true);
    replaced.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldNotBlameARefusalThatIsOver() throws Exception {
    // Given
    workload.create(0, "new", true);
    said("FailedCreate", "cache-db-g-1", QUOTA, Instant.now().minusSeconds(60));
    said("SuccessfulCreate", "cache-db-g-1", "", Instant.now().minusSeconds(30));
    // When
    var blocker = activities.blocker(group.task());
    // Then
    assertThat(blocker).contains("StatefulSet cache-db-g: has 1 of 2 pods; missing: cache-db-g-1");
  }

  @Test
  void shouldShowWhyADeploymentHasNoPods() throws Exception {
    // Given
    workload.create(0, "new", true);
    workload.create(1, "new", true);
    refusedDeployment();
    assertThat(activities.blocker(group.task()).orElseThrow()).contains(QUOTA);
    // When
    var converged = converge();
    // Then
    awaitShown("Deployment cache-db-g-front: pods cannot be created: " + QUOTA);
    rollOutDeployment();
    converged.get(4, TimeUnit.MINUTES);
  }

  private CompletableFuture<Void> converge() {
    var request = new ConvergeRequest(group, Optional.of(applied()));
    return CompletableFuture.runAsync(
        () -> activities.awaitConverged(request), Thread::startVirtualThread);
  }

  private AppliedStatefulSet applied() {
    var metadata = workload.set().getMetadata();
    return new AppliedStatefulSet(metadata.getName(), metadata.getGeneration(), metadata.getUid());
  }

  private void awaitShown(String message) {
    cluster.await().untilAsserted(() -> assertThat(progress()).isEqualTo(message));
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .filteredOn(event -> event.getReason().equals("PodNotCreated"))
                    .singleElement()
                    .satisfies(
                        event -> {
                          assertThat(event.getRegarding().getName()).isEqualTo("cache");
                          assertThat(event.getType()).isEqualTo("Warning");
                          assertThat(event.getNote()).isEqualTo(message);
                        }));
  }

  private String progress() {
    return cluster.now(app).getStatus().change().progress();
  }

  private void said(String reason, String pod, String error) {
    said(reason, pod, error, Instant.now());
  }

  /** As the StatefulSet's controller would. */
  private void said(String reason, String pod, String error, Instant when) {
    var outcome = error.isEmpty() ? "successful" : "failed error: " + error;
    var set = workload.set().getMetadata();
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(cluster.namespace())
            .withGenerateName(set.getName() + ".")
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion("apps/v1")
            .withKind("StatefulSet")
            .withNamespace(cluster.namespace())
            .withName(set.getName())
            .withUid(set.getUid())
            .endInvolvedObject()
            .withReason(reason)
            .withMessage(
                "create Pod %s in StatefulSet %s %s".formatted(pod, set.getName(), outcome))
            .withType(error.isEmpty() ? "Normal" : "Warning")
            .withFirstTimestamp(when.truncatedTo(ChronoUnit.SECONDS).toString())
            .withLastTimestamp(when.truncatedTo(ChronoUnit.SECONDS).toString())
            .withCount(1)
            .withNewSource()
            .withComponent("statefulset-controller")
            .endSource()
            .build();
    cluster.client().resource(event).create();
  }

  private void rollOutDeployment() {
    report(
        new DeploymentStatusBuilder()
            .withReplicas(1)
            .withUpdatedReplicas(1)
            .withReadyReplicas(1)
            .withAvailableReplicas(1));
  }

  private void refusedDeployment() {
    var labels = Labels.selector("cache", "db", "g");
    cluster.create(
        new DeploymentBuilder()
            .withNewMetadata()
            .withName("cache-db-g-front")
            .withLabels(labels)
            .addNewOwnerReferenceLike(workload.set().getMetadata().getOwnerReferences().getFirst())
            .endOwnerReference()
            .endMetadata()
            .withNewSpec()
            .withReplicas(1)
            .withNewSelector()
            .withMatchLabels(labels)
            .endSelector()
            .withTemplate(workload.set().getSpec().getTemplate())
            .endSpec()
            .build());
    refuseDeployment();
    var key = new AppKey(cluster.namespace(), "cache");
    cluster.awaitSeen(
        () ->
            cluster.view().deployments(key).stream()
                .anyMatch(it -> !it.getStatus().getConditions().isEmpty()));
  }

  private void refuseDeployment() {
    report(
        new DeploymentStatusBuilder()
            .addNewCondition()
            .withType("Progressing")
            .withStatus("False")
            .withReason("ProgressDeadlineExceeded")
            .withMessage("timed out")
            .endCondition()
            .addNewCondition()
            .withType("ReplicaFailure")
            .withStatus("True")
            .withReason("FailedCreate")
            .withMessage(QUOTA)
            .endCondition());
  }

  private void report(DeploymentStatusBuilder status) {
    cluster
        .named(Deployment.class, "cache-db-g-front")
        .editStatus(
            it ->
                new DeploymentBuilder(it)
                    .withStatus(
                        status.withObservedGeneration(it.getMetadata().getGeneration()).build())
                    .build());
  }
}
