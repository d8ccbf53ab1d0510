package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A Component of an App that was deleted without it, and what an App of the same name plans. */
@ExtendWith(ApiServer.class)
class LeftBehindPlanningIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final KubernetesPlanningActivities activities;

  LeftBehindPlanningIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.activities = LocalPlanning.of(engine);
  }

  @BeforeEach
  void leaveBehind() {
    cluster.createPlugin();
    var app = cluster.createApp();
    var task = new TaskRef(engine.begin(app), "1-provision-db", ChangeType.PROVISION, "db");
    engine.resources().openComponent(task);
    engine.resources().settleComponent(task);
    cluster.client().resource(app).delete();
    cluster
        .named(Component.class, "cache-db")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"ownerReferences\":null}}");
  }

  @Test
  void shouldPlanTheDifference() {
    assertThat(
            tasks(
                plan(yaml -> yaml.replace("100mb", "200mb").replace("replicas: 2", "replicas: 1"))))
        .containsExactly("1-config-db", "1-resources-db");
  }

  @Test
  void shouldTakeOverWhatIsAsItIsWanted() {
    assertThat(tasks(plan(yaml -> yaml))).containsExactly("1-reapply-db");
  }

  @Test
  void shouldRemoveWhatIsNotWanted() {
    assertThat(tasks(plan(yaml -> yaml.replace("name: db", "name: other"))))
        .containsExactly("1-provision-other", "1-remove-db");
  }

  @Test
  void shouldRefuseWhatNoEditMayDo() {
    // Given
    cluster.create(
        new PersistentVolumeClaimBuilder()
            .withNewMetadata()
            .withName("data-cache-db-g-0")
            .withLabels(Labels.selector("cache", "db", "g"))
            .endMetadata()
            .withNewSpec()
            .withVolumeName("volume-0")
            .withAccessModes("ReadWriteOnce")
            .withNewResources()
            .addToRequests("storage", new Quantity("1Gi"))
            .endResources()
            .endSpec()
            .build());
    // When, Then
    assertThat(plan(yaml -> yaml.replace("1Gi", "500Mi")))
        .isInstanceOfSatisfying(
            PlanAnswer.Rejected.class,
            rejected -> assertThat(rejected.message()).contains("a volume cannot shrink"));
  }

  /** It may have been left behind by purpose, and the App that is deleted by mistake. */
  @Test
  void shouldNotRemoveWhatADeletedAppHasNotTakenOver() {
    // Given
    var app = cluster.createApp();
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.getMetadata().setFinalizers(List.of(Labels.TEARDOWN));
              return it;
            });
    cluster.client().resource(app).delete();
    // When, Then
    assertThat(tasks(plan(app))).isEmpty();
  }

  @Test
  void shouldNotTakeOverACopyOfAComponentUnderAnotherName() {
    // Given
    var copy = cluster.named(Component.class, "cache-db").get();
    copy.getMetadata().setName("copy");
    copy.getMetadata().setResourceVersion(null);
    copy.getMetadata().setUid(null);
    copy.getMetadata().setManagedFields(null);
    cluster.create(copy);
    cluster.named(Component.class, "cache-db").delete();
    // When, Then
    assertThat(tasks(plan(yaml -> yaml))).containsExactly("1-provision-db");
  }

  private PlanAnswer plan(UnaryOperator<String> edit) {
    return plan(cluster.createApp(edit));
  }

  private PlanAnswer plan(App app) {
    return activities.plan(new PlanRequest(cluster.change(app, "run-1"), Optional.empty()));
  }

  private static List<String> tasks(PlanAnswer answer) {
    return ((PlanAnswer.Planned) answer).plan().tasks().stream().map(ChangeTask::id).toList();
  }
}
