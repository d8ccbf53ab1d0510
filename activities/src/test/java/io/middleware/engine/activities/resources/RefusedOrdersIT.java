package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.apiserver.NoOrders;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.OrderingActivities.PodOrderRequest;
import io.middleware.engine.workflows.port.PodOrder;
import io.temporal.failure.ApplicationFailure;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An upgrade to 7.2 whose order an agent gives wrongly. The test is the set's controller. */
@ExtendWith(ApiServer.class)
class RefusedOrdersIT {
  private static final String SET = "cache-db-g";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private App app;

  RefusedOrdersIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
  }

  private static final class Liar extends NoOrders {
    @Override
    public PodOrder podOrder(PodOrderRequest request) {
      throw Faults.of(FaultKind.INVALID_ORDER, "the agent of pod x returned an order that is none");
    }
  }

  private static final class Nothing extends NoOrders {
    @Override
    public PodOrder podOrder(PodOrderRequest request) {
      return PodOrder.NOTHING;
    }
  }

  @BeforeEach
  void deploy() {
    cluster.createPlugin();
    app = cluster.createApp();
    writers.carryOut(app, ChangeType.PROVISION);
    report("of-7.0");
    app = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
  }

  @Test
  void shouldWriteTheFormerTemplateBackInTheStepThatHasWritten() {
    // Given
    var group = writers.open(app, ChangeType.VERSION_UPGRADE);
    // When Then
    assertRefused(() -> resources(new Liar()).applyGroup(group));
    assertVersion("7.0");
    assertThat(cluster.named(Component.class, "cache-db").get().getSpec().runtime().version())
        .as("the change is unfinished")
        .isEqualTo("7.2");
  }

  @Test
  void shouldWriteItBackWhereTheWorkflowAsks() {
    // Given
    var request = written(writers.open(app, ChangeType.VERSION_UPGRADE));
    // When Then
    assertRefused(() -> resources(new Liar()).ordering().podOrder(request));
    assertVersion("7.0");
  }

  @Test
  void shouldFailAgainWhenItIsAskedAgainAfterACrash() {
    // Given
    var request = written(writers.open(app, ChangeType.VERSION_UPGRADE));
    assertRefused(() -> resources(new Liar()).ordering().podOrder(request));
    // When Then: no pod is out of date any more
    assertRefused(() -> resources(new Nothing()).ordering().podOrder(request));
    assertVersion("7.0");
  }

  @Test
  void shouldCarryTheChangeOutWhenItIsTriedAgain() {
    // Given
    var group = writers.open(app, ChangeType.VERSION_UPGRADE);
    assertRefused(() -> resources(new Liar()).applyGroup(group));
    // When
    resources(new Nothing()).applyGroup(group);
    // Then
    assertVersion("7.2");
  }

  @Test
  void shouldKeepTheTemplateThatAPodHas() {
    // Given
    var request = written(writers.open(app, ChangeType.VERSION_UPGRADE));
    report("of-7.2");
    createPod("of-7.2");
    // When Then
    assertThatThrownBy(() -> resources(new Liar()).ordering().podOrder(request))
        .hasMessageContaining("an order that is none'");
    assertVersion("7.2");
  }

  @Test
  void shouldWriteNothingBackForAnotherRun() {
    // Given
    var request = written(writers.open(app, ChangeType.VERSION_UPGRADE));
    engine.openRun = "run-2";
    engine.lock.acquire(cluster.change(app, "run-2"));
    // When Then
    assertThatThrownBy(() -> resources(new Liar()).ordering().podOrder(request))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> assertThat(e.getType()).isEqualTo(FaultKind.SUPERSEDED.label()));
    assertVersion("7.2");
  }

  private KubernetesResourceActivities resources(OrderingActivities orders) {
    return engine.resources(cluster.view(), orders);
  }

  private PodOrderRequest written(GroupRef group) {
    resources(new NoOrders()).applyGroup(group);
    var set = cluster.named(StatefulSet.class, SET).get().getMetadata();
    return new PodOrderRequest(
        group, new AppliedStatefulSet(set.getName(), set.getGeneration(), set.getUid()));
  }

  private static void assertRefused(ThrowingCallable step) {
    assertThatThrownBy(step)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(FaultKind.INVALID_ORDER.label());
              assertThat(e.getOriginalMessage())
                  .endsWith("no pod is replaced, and group g is written back as it was");
            });
  }

  private void assertVersion(String version) {
    var set = cluster.named(StatefulSet.class, SET).get();
    assertThat(set.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage())
        .isEqualTo("redis:" + version);
    assertThat(cluster.named(Group.class, SET).get().getSpec().runtime().version())
        .isEqualTo(version);
  }

  private void report(String revision) {
    cluster
        .named(StatefulSet.class, SET)
        .editStatus(
            it ->
                new StatefulSetBuilder(it)
                    .withNewStatus()
                    .withObservedGeneration(it.getMetadata().getGeneration())
                    .withReplicas(it.getSpec().getReplicas())
                    .withUpdateRevision(revision)
                    .endStatus()
                    .build());
    var key = new AppKey(cluster.namespace(), "cache");
    cluster.awaitSeen(
        () ->
            cluster
                .view()
                .statefulSet(key, SET)
                .filter(it -> it.getStatus() != null)
                .filter(it -> revision.equals(it.getStatus().getUpdateRevision()))
                .isPresent());
  }

  private void createPod(String revision) {
    var set = cluster.named(StatefulSet.class, SET).get();
    Pod pod =
        cluster.create(
            new PodBuilder()
                .withNewMetadata()
                .withName(SET + "-0")
                .withLabels(set.getMetadata().getLabels())
                .addToLabels("controller-revision-hash", revision)
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("StatefulSet")
                .withName(SET)
                .withUid(set.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("redis")
                .withImage("redis")
                .endContainer()
                .endSpec()
                .build());
    var uid = pod.getMetadata().getUid();
    var key = new AppKey(cluster.namespace(), "cache");
    cluster.awaitSeen(() -> cluster.view().pods(key).stream().anyMatch(it -> it.uid().equals(uid)));
  }
}
