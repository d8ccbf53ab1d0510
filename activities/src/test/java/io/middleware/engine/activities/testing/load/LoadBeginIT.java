package io.middleware.engine.activities.testing.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadEnd;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadWork;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.WorkloadObject;
import io.middleware.engine.workflows.testing.port.TestRefusal;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How LoadTests begin and end. */
@ExtendWith(ApiServer.class)
class LoadBeginIT {
  private final LoadScene scene;

  LoadBeginIT(LocalNamespace cluster) {
    scene = new LoadScene(cluster);
  }

  @BeforeEach
  void allow() {
    scene.allow();
  }

  @Test
  void shouldBegin() {
    // Given
    var test = scene.create();
    // When
    var begun = scene.activities().beginLoad(scene.load(test));
    var again = scene.activities().beginLoad(scene.load(test));
    // Then
    assertThat(begun.refusal()).isEmpty();
    assertThat(begun.account()).isEqualTo("tester");
    assertThat(begun.workload()).containsExactly(new WorkloadObject("batch/v1", "Job", "bench"));
    assertThat(begun.readyTimeout()).hasMinutes(10);
    assertThat(begun.cleansUpFailed()).isTrue();
    assertThat(again).isEqualTo(begun);
    var status = scene.status(test);
    assertThat(status.phase()).isEqualTo(LoadTestStatus.WAITING);
    assertThat(status.runId()).isEqualTo(LoadScene.RUN);
    assertThat(status.workflowId()).endsWith("/benchmark");
    assertThat(status.startedAt()).isNotNull();
  }

  @Test
  void shouldNameAllThatIsWrong() {
    // Given
    var test =
        scene.create(
            it ->
                it.replace("kind: ConfigMap, name", "kind: Nothing, name")
                    .replace("target.data.phase ==", "nobody.data.phase ==")
                    .replace("target.metadata.name + '.' + namespace", "1 + 1")
                    .replace("kind: Job", "kind: Service")
                    .replace("batch/v1", "v1"));
    // When
    var begun = scene.activities().beginLoad(scene.load(test));
    // Then
    assertThat(begun.refusal()).map(TestRefusal::reason).contains("InvalidSpec");
    var status = scene.status(test);
    assertThat(status.phase()).isEqualTo(LoadTestStatus.REJECTED);
    assertThat(status.reason()).isEqualTo("InvalidSpec");
    assertThat(status.completedAt()).isNotNull();
    assertThat(status.message())
        .contains(
            "spec.ready.allOf[0].cel (1:1): undeclared reference to 'nobody'",
            "spec.inject[0].cel (1:1): it gives a value of type int, not a text",
            "spec.inject: no object of spec.workload has pods",
            "spec.duration: is missing",
            "spec.target: the API server has no namespaced kind v1 Nothing");
  }

  @Test
  void shouldGoOnWhereAnEarlierRunOfTheSameTestHasStopped() {
    // Given
    var test = scene.create();
    scene.createTarget("target", Map.of());
    var before = scene.begin(test);
    // When
    var load = scene.load(test, "run-2");
    scene.activities().beginLoad(load);
    // Then
    assertThat(scene.status(test).runId()).isEqualTo("run-2");
    assertThat(scene.status(test).phase()).isEqualTo(LoadTestStatus.RUNNING);
    assertThat(scene.activities().createWorkload(new LoadWork(load, LoadScene.target())))
        .as("the load that has begun goes on")
        .isEqualTo(before.begun());
    assertThatThrownBy(
            () ->
                scene.activities().createWorkload(new LoadWork(before.load(), LoadScene.target())))
        .hasMessageContaining("this run does not carry it out any more");
  }

  @Test
  void shouldNotBeginWhatIsCancelled() {
    // Given
    var test = scene.create(it -> it + "  cancel: true\n");
    // When
    var begun = scene.activities().beginLoad(scene.load(test));
    // Then
    assertThat(begun.refusal()).map(TestRefusal::phase).contains(LoadTestStatus.CANCELLED);
    assertThat(scene.status(test).phase()).isEqualTo(LoadTestStatus.CANCELLED);
  }

  @Test
  void shouldRefuseAnEditThatTheApiServerCannotSee() {
    // Given
    var test = scene.create();
    var load = scene.load(test);
    var begun = load.with(scene.activities().beginLoad(load).specDigest());
    // When
    scene
        .cluster
        .named(LoadTest.class, "benchmark")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"inject\": []}}");
    // Then
    assertThatThrownBy(
            () -> scene.activities().createWorkload(new LoadWork(begun, LoadScene.target())))
        .hasMessageContaining("the spec was edited after the load had begun");
  }

  @Test
  void shouldNotReadSecrets() {
    // Given
    var test = scene.create(it -> it.replace("kind: ConfigMap, name", "kind: Secret, name"));
    // When
    var begun = scene.activities().beginLoad(scene.load(test));
    // Then
    assertThat(begun.refusal())
        .map(TestRefusal::message)
        .contains("spec.target: is a Secret, which tests do not read");
  }

  @Test
  void shouldNotBeginWhatIsGone() {
    // Given
    var test = scene.create();
    scene.cluster.client().resource(test).delete();
    scene.create();
    // When
    var begun = scene.activities().beginLoad(scene.load(test));
    // Then
    assertThat(begun.refusal())
        .map(TestRefusal::message)
        .get()
        .asString()
        .endsWith("does not exist");
  }

  @Test
  void shouldWriteNothingForTheLoadOfAStep() {
    // Given
    var test = scene.create(it -> it + "  suspend: true\n");
    var load = scene.loadOfStep(test);
    scene.createTarget("target", Map.of());
    // When
    var run = scene.begin(load);
    scene.activities().endLoad(new LoadEnd(load, LoadTestStatus.PASSED, "", "as it went"));
    // Then
    assertThat(run.begun()).isNotNull();
    assertThat(scene.job()).isNotNull();
    assertThat(scene.status(test)).isNull();
  }

  @Test
  void shouldRefuseAStepsLoadThatBeginsByItself() {
    // Given
    var test = scene.create();
    // When
    var begun = scene.activities().beginLoad(scene.loadOfStep(test));
    // Then
    assertThat(begun.refusal())
        .map(TestRefusal::message)
        .contains("spec.suspend: must be true, as a step names this LoadTest");
    assertThat(scene.status(test)).isNull();
  }

  @Test
  void shouldEndOnce() {
    // Given
    var test = scene.create();
    var load = scene.load(test);
    scene.activities().beginLoad(load);
    // When
    scene.activities().endLoad(new LoadEnd(load, LoadTestStatus.FAILED, "TimedOut", "not ready"));
    scene.activities().endLoad(new LoadEnd(load, LoadTestStatus.PASSED, "", "fine"));
    // Then
    var status = scene.status(test);
    assertThat(status.phase()).isEqualTo(LoadTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("TimedOut");
    assertThat(status.message()).isEqualTo("not ready");
  }

  @Test
  void shouldNotEndTheTestOfAnotherRun() {
    // Given
    var test = scene.create();
    scene.activities().beginLoad(scene.load(test));
    var other = scene.load(test, "run-2");
    // When Then
    assertThatCode(
            () -> scene.activities().endLoad(new LoadEnd(other, LoadTestStatus.PASSED, "", "")))
        .doesNotThrowAnyException();
    assertThat(scene.status(test).completedAt()).isNull();
  }

  @Test
  void shouldRefuseAnEditOfWhatIsTested() {
    // Given
    var test = scene.create();
    // When Then
    assertThatThrownBy(
            () ->
                scene
                    .cluster
                    .named(LoadTest.class, "benchmark")
                    .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\": {\"serviceAccountName\": \"other\"}}"))
        .hasMessageContaining("only cancel can be changed");
    assertThat(test.getSpec().serviceAccountName()).isEqualTo("tester");
  }
}
