package io.middleware.engine.activities.testing.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCleanUp;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadWork;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.WorkloadObject;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is created of a workload, and deleted. */
@ExtendWith(ApiServer.class)
class WorkloadIT {
  private final LoadScene scene;

  WorkloadIT(LocalNamespace cluster) {
    scene = new LoadScene(cluster);
  }

  @BeforeEach
  void prepare() {
    scene.allow();
    scene.createTarget("target", Map.of());
  }

  @Test
  void shouldPutValuesOfTheTargetOnThePods() {
    // Given
    var test = scene.create();
    // When
    scene.begin(test);
    // Then
    var job = scene.job();
    assertThat(job.getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry(
            "test.middleware.io/inject-target-host", "target." + scene.cluster.namespace());
    assertThat(job.getMetadata().getOwnerReferences())
        .extracting("uid")
        .containsExactly(test.getMetadata().getUid());
    assertThat(scene.status(test).loadStartedAt()).isNotNull();
  }

  @Test
  void shouldNotBeginBeforeAPodRuns() {
    // Given
    var test = scene.create();
    var load = scene.load(test);
    scene.activities().beginLoad(load);
    // When
    var begins =
        CompletableFuture.supplyAsync(
            () -> scene.activities().createWorkload(new LoadWork(load, LoadScene.target())));
    // Then
    scene
        .cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(scene.status(test).message())
                    .isEqualTo("Job bench: its pod does not exist yet"));
    assertThat(begins).isNotDone();
    assertThat(scene.status(test).loadStartedAt()).isNull();
    // and when it runs
    scene.jobs.start();
    assertThat(begins.join()).isNotNull();
  }

  @Test
  void shouldKeepAJobUntilItsResultIsRead() {
    // Given
    var test =
        scene.create(
            it ->
                it.replace(
                    "      template:\n", "      ttlSecondsAfterFinished: 0\n      template:\n"));
    // When
    scene.begin(test);
    // Then
    assertThat(scene.job().getSpec().getTtlSecondsAfterFinished()).isEqualTo(3600);
  }

  @Test
  void shouldCreateItOnce() {
    // Given
    var test = scene.create();
    var first = scene.begin(test);
    var uid = scene.job().getMetadata().getUid();
    // When
    scene.set("phase", "Changing");
    var second = scene.begin(test);
    // Then
    assertThat(second.begun()).isEqualTo(first.begun());
    assertThat(scene.job().getMetadata().getUid()).isEqualTo(uid);
  }

  @Test
  void shouldReplaceWhatAnEarlierRunHasLeft() {
    // Given
    var earlier = scene.create(it -> it + "  cleanUp: Never\n");
    scene.begin(earlier);
    var uid = scene.job().getMetadata().getUid();
    scene.cluster.client().resource(earlier).delete();
    var test = scene.create();
    // When
    var begins = CompletableFuture.runAsync(() -> scene.begin(test));
    scene.jobs.collect();
    begins.join();
    // Then
    assertThat(scene.job().getMetadata().getUid()).isNotEqualTo(uid);
  }

  @Test
  void shouldTouchNoObjectOfOthers() {
    // Given
    var test = scene.create();
    var theirs =
        scene.cluster.create(
            new JobBuilder()
                .withNewMetadata()
                .withName("bench")
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("theirs")
                .withImage("redis:7.2")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build());
    // When Then
    assertThatThrownBy(() -> scene.begin(test))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo("ApplyRefused");
              assertThat(failure.getOriginalMessage())
                  .isEqualTo(
                      "Job bench exists already, and is not of this test: rename it in spec.workload[0], or delete it");
            });
    assertThat(cleanUp(test)).isEmpty();
    assertThat(scene.cluster.now(theirs)).isNotNull();
  }

  @Test
  void shouldSayWhatTheApiServerRefuses() {
    // Given
    var test = scene.create(it -> it.replace("restartPolicy: Never", "restartPolicy: Always"));
    // When Then
    assertThatThrownBy(() -> scene.begin(test))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo("ApplyRefused");
              assertThat(failure.getOriginalMessage()).contains("restartPolicy");
            });
  }

  @Test
  void shouldDeleteWhatItHasCreated() {
    // Given
    var test = scene.create();
    scene.begin(test);
    // When
    var cleansUp = CompletableFuture.supplyAsync(() -> cleanUp(test));
    scene.jobs.collect();
    // Then
    assertThat(cleansUp.join()).isEmpty();
    assertThat(scene.job()).isNull();
    assertThat(cleanUp(test)).as("a repeat finds nothing").isEmpty();
  }

  @Test
  void shouldSayWhichValueIsMissing() {
    // Given
    var test = scene.create(it -> it.replace("target.metadata.name", "target.data.host"));
    var load = scene.load(test);
    scene.activities().beginLoad(load);
    var creates =
        CompletableFuture.runAsync(
            () -> scene.activities().createWorkload(new LoadWork(load, LoadScene.target())));
    scene
        .cluster
        .await()
        .untilAsserted(
            () -> assertThat(scene.status(test).message()).startsWith("value TARGET_HOST: "));
    // When
    scene.set("host", "cache");
    scene.awaitRunning(creates);
    creates.join();
    // Then
    assertThat(scene.job().getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry(
            "test.middleware.io/inject-target-host", "cache." + scene.cluster.namespace());
  }

  private String cleanUp(LoadTest test) {
    return scene
        .activities()
        .cleanUpLoad(
            new LoadCleanUp(
                scene.load(test),
                "tester",
                List.of(new WorkloadObject("batch/v1", "Job", "bench"))));
  }
}
