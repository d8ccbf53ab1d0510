package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.rollout.TaskPodProgress;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.PodActivities.TaskState;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How far a Reapply of the group {@code g} is; one of its two pods is out of date. */
@ExtendWith(ApiServer.class)
class ReappliedPodsIT {
  private static final String FIRST = "cache-db-g-0";
  private static final String SECOND = "cache-db-g-1";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private FakeWorkload workload;
  private TaskRef task;

  ReappliedPodsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void deploy() {
    cluster.createPlugin();
    var writers = new LocalWriters(engine);
    var provision = writers.open(cluster.createApp(), ChangeType.PROVISION).task();
    writers.transaction().end(provision);
    workload = new FakeWorkload(cluster, 2);
    workload.create(0, "new", true);
    workload.create(1, "old", true);
    var reference = Optional.of(new OperationRef("again", create(), OperationAction.REAPPLY));
    task =
        new TaskRef(
            provision.change().of(reference), "1-reapply-db-1234", ChangeType.REAPPLY, "db");
  }

  @Test
  void shouldHaveReachedNoPodOfAGroupThatItHasNotWritten() {
    assertThat(progress()).isEqualTo(new TaskState(List.of(), List.of(FIRST, SECOND), false));
  }

  @Test
  void shouldTellWhichPodsOfAGroupItHasReached() {
    // Given
    write();
    assertThat(progress()).isEqualTo(new TaskState(List.of(FIRST), List.of(SECOND), false));
    // When
    cluster.client().pods().inNamespace(cluster.namespace()).withName(SECOND).delete();
    workload.create(1, "new", false);
    // Then
    assertThat(progress())
        .isEqualTo(new TaskState(List.of(FIRST, SECOND), List.of(), false, List.of(SECOND)));
  }

  @Test
  void shouldHaveNothingLeftWhenAllPodsAreUpToDate() {
    // Given
    write();
    // When
    workload.report("old", 2);
    cluster.client().pods().inNamespace(cluster.namespace()).withName(FIRST).delete();
    workload.create(0, "old", true);
    // Then
    assertThat(progress().settled()).isTrue();
  }

  @Test
  void shouldHaveSomethingLeftWhileAnEvictedPodIsNotCreatedAgain() {
    // Given
    write();
    // When
    cluster.client().pods().inNamespace(cluster.namespace()).withName(SECOND).delete();
    // Then
    assertThat(progress()).isEqualTo(new TaskState(List.of(FIRST), List.of(), false));
  }

  @Test
  void shouldHaveReachedNoPodBeforeTheControllerHasSeenWhatItHasWritten() {
    // Given pods that all have the revision before
    cluster.client().pods().inNamespace(cluster.namespace()).withName(SECOND).delete();
    workload.create(1, "new", true);
    write();
    assertThat(progress().settled()).isTrue();
    // When
    cluster
        .named(StatefulSet.class, FakeWorkload.NAME)
        .edit(it -> new StatefulSetBuilder(it).editSpec().withMinReadySeconds(1).endSpec().build());
    // Then
    assertThat(progress()).isEqualTo(new TaskState(List.of(), List.of(FIRST, SECOND), false));
  }

  private TaskState progress() {
    return new TaskPodProgress(engine.objects, engine.plugins, engine.specHistory, cluster.view())
        .of(task);
  }

  private String create() {
    var operation = new Operation();
    operation.setMetadata(new ObjectMetaBuilder().withName("again").build());
    operation.setSpec(
        Serialization.unmarshal("---\n{app: cache, action: Reapply}", OperationSpec.class));
    return cluster.create(operation).getMetadata().getUid();
  }

  private void write() {
    cluster
        .named(StatefulSet.class, FakeWorkload.NAME)
        .edit(
            it ->
                new StatefulSetBuilder(it)
                    .editMetadata()
                    .addToAnnotations(Labels.WRITTEN_BY, "1/1-reapply-db-1234")
                    .endMetadata()
                    .build());
  }
}
