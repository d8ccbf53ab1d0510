package io.middleware.engine.activities.testing;

import static io.middleware.engine.activities.testing.IntegrationTestScene.RUN;
import static io.middleware.engine.activities.testing.IntegrationTestScene.assertFails;
import static io.middleware.engine.activities.testing.IntegrationTestScene.beginning;
import static io.middleware.engine.activities.testing.IntegrationTestScene.configMap;
import static io.middleware.engine.activities.testing.IntegrationTestScene.end;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepRef;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rounds that begin, on a real API server, and whose test it is. */
@ExtendWith(ApiServer.class)
class RoundBeginningsIT {
  private final IntegrationTestScene scene;

  RoundBeginningsIT(LocalNamespace cluster) {
    this.scene = new IntegrationTestScene(cluster);
  }

  @Test
  void shouldBeginARound() {
    // Given
    var test =
        scene.create(
            """
            mode: Parallel
            steps:
            - {name: up, apply: [%s], timeout: 3m, ready: {allOf: [{cel: "true"}]}, loadTest: swap}
            - {name: down, checks: [{name: lag, allOf: [{cel: "true"}]}]}
            finalChecks: [{name: writes, within: 10s, for: 5s, anyOf: [{cel: "true"}]}]
            repeat: {count: 20, maxDuration: 8h}
            """
                .formatted(configMap("a")));
    // When
    var plan = scene.begin(test).plan().orElseThrow();
    // Then
    assertThat(plan.parallel()).isTrue();
    assertThat(plan.rounds()).contains(20);
    assertThat(plan.longest()).contains(Duration.ofHours(8));
    assertThat(plan.steps().getFirst().timeout()).isEqualTo(Duration.ofMinutes(3));
    assertThat(plan.steps().getFirst().loadTest()).contains("swap");
    assertThat(plan.steps().getLast().checks()).isTrue();
    assertThat(plan.finalChecks().orElseThrow().timeout()).isEqualTo(Duration.ofSeconds(615));
    assertThat(scene.status(test).phase()).isEqualTo(IntegrationTestStatus.RUNNING);
    assertThat(scene.status(test).runId()).isEqualTo(RUN);
  }

  @Test
  void shouldNameAllThatIsWrong() {
    // Given
    var test =
        scene.create(
            """
            steps:
            - name: up
              apply: [{apiVersion: v1, kind: Namespace, metadata: {name: x}}, {kind: App}]
              ready: {allOf: [{cel: "obect('App', 'x').y"}]}
            - name: final-checks
              delete: [{apiVersion: shop.io/v1, kind: Till, name: a}]
              checks: [{name: lag, anyOf: [{cel: "object('v1', 'Secret', 'a').data == {}"}]}]
            """);
    // When
    var refusal = scene.begin(test).refusal().orElseThrow();
    // Then
    assertThat(refusal.phase()).isEqualTo("Rejected");
    assertThat(refusal.reason()).isEqualTo("InvalidSpec");
    assertThat(refusal.message().split("; "))
        .containsExactly(
            "spec.steps[0].apply[1]: has no apiVersion",
            "spec.steps[0].apply[0]: the API server has no namespaced kind v1 Namespace",
            "spec.steps[0].ready.allOf[0].cel (1:6): undeclared reference to 'obect' (in container '')",
            "spec.steps[1].name: no step can have the name final-checks",
            "spec.steps[1].delete[0]: the API server has no namespaced kind shop.io/v1 Till",
            "spec.steps[1].checks[lag].anyOf[0].cel (1:1): a Secret is never read");
    assertThat(scene.status(test).phase()).isEqualTo(IntegrationTestStatus.PENDING);
    assertThat(scene.status(test).runId()).isEqualTo(RUN);
  }

  @Test
  void shouldStopWhenTheSpecWasEdited() {
    // Given
    var test = scene.running("apply: [%s]", configMap("a"));
    scene
        .cluster
        .named(IntegrationTest.class, test.getMetadata().getName())
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"serviceAccountName\": \"admin\"}}");
    // When Then
    assertFails("InvalidSpec", () -> scene.activities.applyStep(scene.step(test)));
    assertThat(scene.find("a")).isNull();
  }

  @Test
  void shouldLeaveTheTestOfAnotherRunAlone() {
    // Given
    var test = scene.running("apply: [%s]", configMap("mine"));
    scene.currentRun = "run-2";
    scene.activities.beginRound(beginning(scene.ref(test, "run-2"), 2));
    // When Then
    assertFails("Superseded", () -> scene.activities.applyStep(scene.step(test)));
    assertFails(
        "Superseded", () -> scene.activities.beginRound(beginning(scene.ref(test, RUN), 1)));
    scene.activities.endTest(end(scene.ref(test, RUN), "Failed"));
    assertThat(scene.activities.cleanUp(scene.cleanUp(test, "Failed", 1))).isEmpty();
    assertThat(scene.status(test).runId()).isEqualTo("run-2");
    assertThat(scene.status(test).round()).isEqualTo(2);
    assertThat(scene.status(test).phase()).isEqualTo(IntegrationTestStatus.RUNNING);
  }

  @Test
  void shouldEndATestThatItsRunHasNotBegun() {
    // Given
    var test = scene.create("steps: [{name: up, apply: [%s]}]".formatted(configMap("y")));
    // When
    scene.activities.endTest(end(scene.ref(test, "run-0"), "Failed"));
    scene.activities.endTest(end(scene.ref(test, RUN), "Cancelled"));
    // Then
    assertThat(scene.status(test).phase()).isEqualTo("Cancelled");
    assertThat(scene.status(test).runId()).isEqualTo(RUN);
  }

  @Test
  void shouldTakeOverTheTestOfARunThatWasReset() {
    // Given
    var test = scene.running("apply: [%s]", configMap("z"));
    scene.currentRun = "run-2";
    var step = scene.step(test);
    // When
    scene.activities.applyStep(
        new StepRef(
            scene.ref(test, "run-2"), step.spec(), step.round(), step.step(), step.deadline()));
    // Then
    assertThat(scene.find("z")).isNotNull();
    assertThat(scene.status(test).runId()).isEqualTo("run-2");
    assertFails("Superseded", () -> scene.activities.applyStep(step));
  }

  @Test
  void shouldNotBeginATestThatIsDeletedMeanwhile() {
    // Given
    var test = scene.create("steps: [{name: up, apply: [%s]}]".formatted(configMap("d")));
    var live = scene.cluster.named(IntegrationTest.class, test.getMetadata().getName());
    live.patch(
        PatchContext.of(PatchType.JSON_MERGE),
        "{\"metadata\": {\"finalizers\": [\"shop.io/held\"]}}");
    scene.atLookup = live::delete;
    // When
    var refusal = scene.begin(test).refusal().orElseThrow();
    // Then
    assertThat(refusal.phase()).isEqualTo("Cancelled");
    assertThat(scene.status(test)).isNull();
    live.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": null}}");
  }

  @Test
  void shouldBeFinal() {
    // Given
    var test = scene.running("apply: [%s]", configMap("x"));
    scene.activities.endTest(end(scene.ref(test, RUN), "Cancelled"));
    // When
    scene.activities.endTest(end(scene.ref(test, RUN), "Failed"));
    var again = scene.begin(test);
    // Then
    assertThat(scene.status(test).phase()).isEqualTo("Cancelled");
    assertThat(scene.status(test).steps()).extracting("phase").containsOnly("Skipped");
    assertThat(again.refusal().orElseThrow().phase()).isEmpty();
  }
}
