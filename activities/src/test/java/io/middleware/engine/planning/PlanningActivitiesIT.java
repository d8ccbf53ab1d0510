package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.PlannedObject;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans the App {@code cache}, of which nothing is deployed yet. */
@ExtendWith(ApiServer.class)
class PlanningActivitiesIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final KubernetesPlanningActivities activities;

  PlanningActivitiesIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.activities = LocalPlanning.of(engine);
  }

  @Test
  void shouldKeepTheSpecAndWriteNothingElse() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp();
    // When
    var answer = plan(app);
    // Then
    assertThat(tasks(answer)).containsExactly("1-provision-db");
    assertThat(revisions())
        .hasSize(2)
        .contains("cache-1")
        .anyMatch(it -> it.startsWith("redis-v1.0.0-"));
    var revision = cluster.named(ControllerRevision.class, "cache-1").get();
    assertThat(
            cluster
                .client()
                .getKubernetesSerialization()
                .convertValue(revision.getData(), AppSpec.class))
        .isEqualTo(app.getSpec());
    assertNothingIsWritten();
    // and the second time
    assertThat(tasks(plan(app))).containsExactly("1-provision-db");
    assertThat(cluster.now(revision)).isEqualTo(revision);
  }

  /** As the garbage collector does after {@code kubectl delete app --cascade=orphan}. */
  @Test
  void shouldLetTheOwnerOfAKeptSpecBeRemoved() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp(yaml -> yaml.replace("100mb", "\"<100mb> & é\u2028\""));
    plan(app);
    // When
    cluster
        .named(ControllerRevision.class, "cache-1")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"ownerReferences\":null}}");
    // Then
    var kept = cluster.named(ControllerRevision.class, "cache-1").get();
    assertThat(kept.getMetadata().getOwnerReferences()).isEmpty();
    assertThat(
            cluster
                .client()
                .getKubernetesSerialization()
                .convertValue(kept.getData(), AppSpec.class))
        .isEqualTo(app.getSpec());
  }

  @Test
  void shouldLeaveTheComponentsOfAnAppBehindThatIsDeletedWithoutThem() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp();
    openComponent(app);
    // When
    cluster.client().resource(app).withPropagationPolicy(DeletionPropagation.ORPHAN).delete();
    // Then
    assertThat(tasks(plan(cluster.now(app)))).isEmpty();
  }

  @Test
  void shouldRejectWhatTheApiServerRefusesAndWriteNothing() {
    // Given
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "name: redis\n                image", "name: Not_A_Name\n                image"));
    var app = cluster.createApp();
    // When
    var answer = plan(app);
    // Then
    assertRejected(
        answer,
        "ObjectRefused",
        "StatefulSet " + cluster.namespace() + "/cache-db-g",
        "Not_A_Name");
    assertThat(revisions()).isEmpty();
    assertNothingIsWritten();
  }

  @ParameterizedTest
  @CsvSource({
    "TemplateError, ${config.maxmemory}, ${config.maxmemry}, maxmemry",
    "OutputRefused, kind: ConfigMap, kind: Node, Node",
    "OutputRefused, '{name: \"${name}-config\"}', '{name: x, namespace: kube-system}', kube-system"
  })
  void shouldRejectWhatAPluginRendersWrongly(
      String reason, String good, String bad, String inMessage) {
    // Given
    cluster.createPlugin(yaml -> yaml.replace(good, bad));
    // When Then
    assertRejected(plan(cluster.createApp()), reason, inMessage);
    assertThat(revisions()).isEmpty();
    assertNothingIsWritten();
  }

  @Test
  void shouldRejectAnAppWhoseAccountMayNotWrite() {
    // Given
    cluster.createPlugin();
    var app =
        cluster.createApp(
            yaml -> yaml.replace("spec:", "spec:\n  serviceAccountName: nobody").strip());
    // When
    var answer = plan(app);
    // Then
    assertRejected(
        answer, "WriteForbidden", "system:serviceaccount:" + cluster.namespace() + ":nobody");
    assertThat(revisions()).isEmpty();
  }

  @Test
  void shouldNameThePluginsThatThereAre() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp(yaml -> yaml.replace("1.0.0", "2.0.0"));
    // When Then
    assertRejected(plan(app), "PluginNotFound", "redis-v2.0.0", "redis-v1.0.0");
  }

  @Test
  void shouldRejectAComponentWhoseNameIsTaken() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp();
    openComponent(app);
    cluster
        .named(Component.class, "cache-db")
        .edit(
            it -> {
              it.getMetadata().getLabels().put(Labels.APP, "another");
              return it;
            });
    // When Then
    assertRejected(plan(app), "InvalidSpec", "Component cache-db belongs to App another");
  }

  @Test
  void shouldShowThePlanThatIsToBeApproved() {
    // Given
    cluster.createPlugin();
    var app =
        cluster.createApp(
            yaml -> yaml.replace("spec:", "spec:\n  change: {approval: Manual}").strip());
    // When
    var answer = (PlanAnswer.Planned) plan(app);
    // Then
    var shown = cluster.now(app).getStatus().plan();
    assertThat(answer.plan().approval()).contains(shown.hash());
    assertThat(shown.objects())
        .extracting(PlannedObject::kind, PlannedObject::name)
        .contains(tuple("ConfigMap", "cache-db-g-config"), tuple("StatefulSet", "cache-db-g"));
    assertNothingIsWritten();
  }

  @Test
  void shouldSayThatTheAppIsGone() {
    // Given
    var app = cluster.createApp();
    cluster.client().resource(app).delete();
    // When Then
    assertThat(plan(app)).isEqualTo(new PlanAnswer.Gone());
  }

  @Test
  void shouldPlanTheTeardownOfAnAppWhosePluginIsGone() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp();
    openComponent(app);
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.getMetadata().setFinalizers(List.of(Labels.TEARDOWN));
              return it;
            });
    cluster.client().resource(app).delete();
    // When Then
    assertThat(tasks(plan(app))).containsExactly("2-remove-db");
  }

  /** The garbage collector has deleted the kept specs, as they had no other owner. */
  @Test
  void shouldPlanTheTeardownOfWhatTheCollectorHasTakenAway() {
    // Given
    var app = deletedWithoutParts();
    cluster.named(ControllerRevision.class, "cache-1").delete();
    // When Then
    assertThat(tasks(plan(app))).containsExactly("2-remove-db");
    // but not what an earlier App of the name has left
    cluster
        .named(Component.class, "cache-db")
        .edit(
            it -> {
              it.getMetadata().getLabels().put(Labels.APP_UID, "another");
              return it;
            });
    assertThat(tasks(plan(app))).isEmpty();
  }

  /** The garbage collector has left the kept specs as well. */
  @Test
  void shouldLeaveBehindWhatTheCollectorHasOrphaned() {
    // Given
    var app = deletedWithoutParts();
    withoutApp(ControllerRevision.class, "cache-1");
    // When Then
    assertThat(tasks(plan(app))).isEmpty();
    // but not for a spec that an earlier App of the name has left
    cluster
        .named(ControllerRevision.class, "cache-1")
        .edit(
            it -> {
              it.getMetadata().getLabels().put(Labels.APP_UID, "another");
              return it;
            });
    assertThat(tasks(plan(app))).containsExactly("2-remove-db");
  }

  private App deletedWithoutParts() {
    cluster.createPlugin();
    var app = cluster.createApp();
    plan(app);
    openComponent(app);
    assertThat(cluster.named(Component.class, "cache-db").get().getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getKind, OwnerReference::getController)
        .containsExactly(tuple("App", true), tuple("Namespace", null));
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.getMetadata().setFinalizers(List.of(Labels.TEARDOWN));
              return it;
            });
    cluster.client().resource(app).delete();
    withoutApp(Component.class, "cache-db");
    return app;
  }

  private void withoutApp(Class<? extends HasMetadata> kind, String name) {
    cluster
        .named(kind, name)
        .edit(
            it -> {
              it.getMetadata().getOwnerReferences().removeIf(by -> "App".equals(by.getKind()));
              return it;
            });
  }

  @Test
  void shouldKeepTheNewestSpecs() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp();
    var history = new SpecHistory(cluster.client(), 3);
    var none = new SensitiveParameters(Set.of());
    history.keep(app, none);
    // When
    for (var i = 2; i <= 5; i++) {
      var size = i + "00mb";
      history.keep(cluster.editApp(yaml -> yaml.replace("100mb", size)), none);
    }
    // Then
    assertThat(revisions()).containsExactlyInAnyOrder("cache-3", "cache-4", "cache-5");
  }

  private void openComponent(App app) {
    var change = engine.begin(app);
    engine
        .resources()
        .openComponent(new TaskRef(change, "1-provision-db", ChangeType.PROVISION, "db"));
  }

  private PlanAnswer plan(App app) {
    return activities.plan(new PlanRequest(cluster.change(app, "run-1"), Optional.empty()));
  }

  private static List<String> tasks(PlanAnswer answer) {
    return ((PlanAnswer.Planned) answer).plan().tasks().stream().map(ChangeTask::id).toList();
  }

  private static void assertRejected(PlanAnswer answer, String reason, String... parts) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            PlanAnswer.Rejected.class,
            rejected -> {
              assertThat(rejected.reason()).isEqualTo(reason);
              assertThat(rejected.message()).contains(parts);
            });
  }

  private void assertNothingIsWritten() {
    var client = cluster.client();
    assertThat(cluster.named(ConfigMap.class, "cache-db-g-config").get()).isNull();
    assertThat(cluster.named(StatefulSet.class, "cache-db-g").get()).isNull();
    assertThat(client.resources(Component.class).inNamespace(cluster.namespace()).list().getItems())
        .isEmpty();
  }

  private List<String> revisions() {
    return cluster
        .client()
        .resources(ControllerRevision.class)
        .inNamespace(cluster.namespace())
        .list()
        .getItems()
        .stream()
        .map(revision -> revision.getMetadata().getName())
        .toList();
  }
}
