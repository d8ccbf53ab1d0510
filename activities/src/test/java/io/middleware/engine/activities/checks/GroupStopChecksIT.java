package io.middleware.engine.activities.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.grpc.Status;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks before a pod are about this pod, and past all caches. */
@ExtendWith(ApiServer.class)
class GroupStopChecksIT {
  private final LocalNamespace cluster;
  private CheckScene scene;

  GroupStopChecksIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void open() throws IOException {
    scene = new CheckScene(cluster);
    scene.zero.answers.put("safe-to-stop", "yes");
    scene.one.answers.put("safe-to-stop", "yes");
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void shouldAskOnlyThePodThatIsToBeStopped() {
    // When Then
    assertThat(refusal("cache-db-g-1")).isEmpty();
    assertThat(scene.one.calls).contains("measure safe-to-stop");
    assertThat(scene.zero.calls).doesNotContain("measure safe-to-stop");
  }

  @Test
  void shouldSayWhichCheckDoesNotHoldAndWhatWasFound() {
    // Given
    scene.one.answers.put("safe-to-stop", "1 of 3 members would be left");
    // When Then
    assertThat(refusal("cache-db-g-1").orElseThrow())
        .isEqualTo(
            "check safe: cache-db-g-1: safe-to-stop = 1 of 3 members would be left, expected answer"
                + " == 'yes'");
    // and the other pod is asked for itself
    assertThat(refusal("cache-db-g-0")).isEmpty();
  }

  @Test
  void shouldRefuseWhatIsNotKnown() {
    // Given
    scene.one.measureFailure = Status.UNAVAILABLE.withDescription("no quorum");
    // When Then
    assertThat(refusal("cache-db-g-1").orElseThrow()).startsWith("check safe: not known: ");
  }

  @Test
  void shouldAskThePrimaryOnlyWhereACheckIsAboutIt() {
    // Given
    scene.zero.answers.put("safe-to-stop", "no");
    // When Then
    assertThat(refusal("cache-db-g-1")).isEmpty();
    assertThat(refusal("cache-db-g-0").orElseThrow())
        .contains("check safe: ", "check primary-safe: ");
  }

  @Test
  void shouldSeeAnotherPodThatIsDown() {
    // Given
    scene.unready(0);
    // When Then
    assertThat(refusal("cache-db-g-1").orElseThrow()).contains("cache-db-g-0 not ready");
  }

  @Test
  void shouldNotHoldAPodThatIsNotReadyWhileTheOthersAre() {
    // Given
    scene.one.answers.put("safe-to-stop", "no");
    scene.unready(1);
    scene.one.calls.clear();
    // When Then
    assertThat(refusal("cache-db-g-1")).isEmpty();
    assertThat(scene.one.calls).isEmpty();
  }

  @Test
  void shouldAskAPodThatRunsThoughItIsNotReadyWhenAnotherOneIsAway() {
    // Given
    scene.one.answers.put("safe-to-stop", "no");
    scene.unready(0);
    scene.unready(1);
    assertThat(refusal("cache-db-g-1")).as("nothing of it runs").isEmpty();
    // When
    runs("cache-db-g-1");
    // Then
    assertThat(refusal("cache-db-g-1").orElseThrow()).contains("safe-to-stop = no");
    // and neither is it stopped when its agent does not say
    scene.one.measureFailure = Status.UNAVAILABLE.withDescription("dead");
    assertThat(refusal("cache-db-g-1")).isPresent();
  }

  private void runs(String pod) {
    cluster
        .client()
        .pods()
        .inNamespace(cluster.namespace())
        .withName(pod)
        .editStatus(
            it ->
                new PodBuilder(it)
                    .editStatus()
                    .addNewContainerStatus()
                    .withName("redis")
                    .withImage("redis:7.2")
                    .withImageID("redis")
                    .withReady(true)
                    .withRestartCount(0)
                    .withNewState()
                    .withNewRunning()
                    .endRunning()
                    .endState()
                    .endContainerStatus()
                    .endStatus()
                    .build());
  }

  private Optional<String> refusal(String pod) {
    var app = cluster.named(App.class, "cache").get();
    return scene
        .activities
        .stopChecks()
        .refusal(
            app, new GroupRef(scene.task, "g"), new PodState(cluster.named(Pod.class, pod).get()));
  }
}
