package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.resources.LocalWriters;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.PlanRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The App {@code other} uses the App {@code cache}. */
@ExtendWith(ApiServer.class)
class UsedAppsIT {
  private static final String USES = "{app: cache, component: db}";

  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private final KubernetesPlanningActivities activities;

  UsedAppsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    var engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.activities = LocalPlanning.of(engine);
  }

  @BeforeEach
  void createPlugin() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "    templates:\n",
                "    - {name: peers, type: string, pattern: '.', effect: Restart, derived: \"(uses + components.map(c, components[c]))"
                    + ".map(c, c.groups.map(g, g.name)).flatten().join(' ')\"}\n    templates:\n"));
  }

  @Test
  void shouldDeriveValuesFromTheComponentsOfOtherApps() {
    // Given
    deploy(cluster.createApp());
    // When
    var other = cluster.createApp(UsedAppsIT::other);
    deploy(other);
    // Then
    assertThat(derived("cache-db")).isEqualTo("cache-db-g");
    assertThat(derived("other-db")).isEqualTo("cache-db-g other-db-g");
    assertThat(cluster.now(other).getStatus().usedGenerations()).isEqualTo(Map.of("cache", 0L));
    // When the other App gets another group
    var more =
        cluster.editApp(
            yaml ->
                yaml.replace(
                    "    groups:\n", "    groups:\n    - {name: h, storage: {size: 1Gi}}\n"));
    deploy(more);
    // Then
    assertThat(plan(other))
        .isInstanceOfSatisfying(
            Planned.class,
            it ->
                assertThat(it.plan().tasks())
                    .extracting(ChangeTask::description)
                    .containsExactly(
                        "peers of db: cache-db-g other-db-g → cache-db-g cache-db-h other-db-g (restart)"));
  }

  @Test
  void shouldGoByTheGenerationOfAnotherAppOnlyOnceItHasSucceeded() {
    // Given
    deploy(cluster.createApp());
    var other = cluster.createApp(UsedAppsIT::other);
    ended("Rejected");
    // When Then
    assertThat(plan(other)).isInstanceOf(Planned.class);
    assertThat(cluster.now(other).getStatus().usedGenerations()).isEqualTo(Map.of("cache", 0L));
    // When
    ended("Succeeded");
    assertThat(plan(cluster.now(other))).isInstanceOf(Planned.class);
    // Then
    assertThat(cluster.now(other).getStatus().usedGenerations()).isEqualTo(Map.of("cache", 1L));
  }

  @Test
  void shouldRefuseAnAppThatUsesWhatIsNotThere() {
    assertRejected(cluster.createApp(UsedAppsIT::other), "spec.uses[0]: App cache does not exist");
  }

  @Test
  void shouldSayThatAComponentIsMissingOrNotDeployedYet() {
    // Given
    cluster.createApp();
    // When Then
    var other = cluster.createApp(UsedAppsIT::other);
    assertRejected(other, "component cache/db is not deployed yet");
    assertRejected(
        cluster.createApp(yaml -> named(yaml, "third", "{app: cache, component: nope}")),
        "App cache has no component nope, only db");
  }

  @Test
  void shouldRefuseAppsThatUseEachOther() {
    // Given
    deploy(cluster.createApp());
    cluster.createApp(UsedAppsIT::other);
    // When
    var edited = cluster.editApp(yaml -> named(yaml, "cache", "{app: other, component: db}"));
    // Then
    assertRejected(edited, "Apps use each other in a circle (cache → other → cache)");
  }

  @Test
  void shouldNotDeleteAnAppThatOthersUse() {
    // Given
    var app = cluster.createApp();
    deploy(app);
    var other = cluster.createApp(UsedAppsIT::other);
    held(app);
    // When
    cluster.client().resource(app).delete();
    // Then
    assertThat(plan(cluster.now(app)))
        .isInstanceOfSatisfying(
            Rejected.class,
            it -> {
              assertThat(it.reason()).isEqualTo(Reasons.IN_USE);
              assertThat(it.message())
                  .isEqualTo(
                      "App cache is not deleted, as other Apps use it: other. Take it out of their spec.uses, or delete them");
            });
    // When the other one goes as well
    cluster.client().resource(other).delete();
    // Then
    assertThat(plan(cluster.now(app))).isInstanceOf(Planned.class);
  }

  @Test
  void shouldPlanAnAppWhoseUsedAppSomebodyHasTriedToDelete() {
    // Given
    var app = cluster.createApp();
    deploy(app);
    var other = cluster.createApp(UsedAppsIT::other);
    deploy(other);
    held(app);
    // When
    cluster.client().resource(app).delete();
    // Then
    assertThat(plan(cluster.now(other))).isInstanceOf(Planned.class);
    // and an App that has not used it yet may not begin to
    assertRejected(
        cluster.createApp(yaml -> named(yaml, "third", USES)), "App cache is being deleted");
    // and when it goes by force
    cluster.deleteByForce(cluster.now(app));
    assertRejected(cluster.now(other), "App cache is being deleted");
  }

  @Test
  void shouldDeleteAnAppByForceThatOthersUse() {
    // Given
    var app = cluster.createApp();
    deploy(app);
    cluster.createApp(UsedAppsIT::other);
    // When
    var deleted = cluster.deleteByForce(app);
    // Then
    assertThat(plan(deleted)).isInstanceOf(Planned.class);
  }

  @Test
  void shouldFailATaskWhoseAppIsGoneSinceThePlan() {
    // Given
    var app = cluster.createApp();
    deploy(app);
    var other = cluster.createApp(UsedAppsIT::other);
    assertThat(plan(other)).isInstanceOf(Planned.class);
    // When
    cluster.client().resource(app).delete();
    cluster.await().until(() -> cluster.named(App.class, "cache").get() == null);
    // Then
    assertThatThrownBy(() -> writers.open(other, ChangeType.PROVISION))
        .hasMessageContaining("spec.uses[0]: App cache does not exist")
        .hasMessageContaining("then retry the task");
  }

  /** The last change of the App {@code cache}. */
  private void ended(String outcome) {
    cluster.patchStatus(
        "{\"observedGeneration\": 1, \"change\": {\"generation\": 1, \"outcome\": \"%s\"}}"
            .formatted(outcome));
  }

  private void held(App app) {
    cluster
        .named(App.class, app.getMetadata().getName())
        .edit(
            it -> {
              it.getMetadata().setFinalizers(List.of(Labels.TEARDOWN));
              return it;
            });
  }

  private static String other(String yaml) {
    return named(yaml, "other", USES);
  }

  private static String named(String yaml, String name, String uses) {
    return yaml.replace("cache", name).replace("spec:\n", "spec:\n  uses: [%s]\n".formatted(uses));
  }

  private String derived(String component) {
    return String.valueOf(
        cluster.named(Component.class, component).get().getSpec().derived().get("peers"));
  }

  private void deploy(App app) {
    assertThat(plan(app)).isInstanceOf(Planned.class);
    writers.end(writers.open(app, ChangeType.PROVISION));
  }

  private PlanAnswer plan(App app) {
    return activities.plan(new PlanRequest(cluster.change(app, "run-1"), Optional.empty()));
  }

  private void assertRejected(App app, String message) {
    assertThat(plan(app))
        .isInstanceOfSatisfying(Rejected.class, it -> assertThat(it.message()).contains(message));
  }
}
