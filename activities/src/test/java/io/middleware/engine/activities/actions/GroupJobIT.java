package io.middleware.engine.activities.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.class)
class GroupJobIT extends JobScene {

  GroupJobIT(LocalNamespace cluster) {
    super(cluster);
  }

  @Test
  void shouldWaitForTheJobAndKeepItsLastWords() {
    // Given
    var running = start();
    var job = awaitJob();
    engine.awaitHeartbeat(
        "group g of component db: Job %s: its pod does not exist yet"
            .formatted(job.getMetadata().getName()));
    // When
    new FakeJobs(cluster).createPod(job, "Succeeded", 0, "all 2 are well");
    new FakeJobs(cluster).end(job, "Complete", "CompletionsReached", "it has succeeded");
    running.join();
    // Then
    assertThat(job.getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getName)
        .containsExactly("cache-db-g");
    assertThat(runs())
        .extracting(
            ActionRun::pod,
            ActionRun::uid,
            ActionRun::status,
            ActionRun::exitCode,
            ActionRun::output,
            ActionRun::attempts)
        .containsExactly(
            tuple(
                job.getMetadata().getName(),
                job.getMetadata().getUid(),
                "Succeeded",
                0,
                "all 2 are well",
                1));
  }

  @Test
  void shouldRunNothingAgainWhenItIsDone() {
    // Given
    var running = start();
    var job = awaitJob();
    new FakeJobs(cluster).end(job, "Complete", "CompletionsReached", "it has succeeded");
    running.join();
    cluster.client().resource(job).withGracePeriod(0).delete();
    cluster.await().until(() -> jobs().isEmpty());
    // When
    run();
    // Then
    assertThat(jobs()).isEmpty();
  }

  @Test
  void shouldGoOnWithTheJobOfAnEarlierTry() {
    // Given the process died just before it had created the Job, and then just after it
    recorded().begin(target().job().name());
    interruption = new IllegalStateException("the process dies");
    assertThatThrownBy(this::run).isSameAs(interruption);
    interruption = null;
    // When
    var running = start();
    new FakeJobs(cluster).end(awaitJob(), "Complete", "CompletionsReached", "it has succeeded");
    running.join();
    // Then
    assertThat(jobs()).hasSize(1);
    assertThat(runs())
        .extracting(ActionRun::status, ActionRun::attempts)
        .containsExactly(tuple("Succeeded", 1));
  }

  @Test
  void shouldSayHowItsPodHasFailed() {
    // Given
    var running = start();
    var job = awaitJob();
    // When
    new FakeJobs(cluster).createPod(job, "Failed", 3, "connects\nmember 1 does not answer\n");
    new FakeJobs(cluster).end(job, "Failed", "BackoffLimitExceeded", "it has failed");
    // Then
    assertThatThrownBy(running::join)
        .cause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("ActionFailed");
              assertThat(e.getOriginalMessage())
                  .isEqualTo(
                      "action check of group g failed: pod %s-x: Error, exit code 3: member 1 does not answer"
                          .formatted(job.getMetadata().getName()));
            });
    assertThat(runs())
        .extracting(ActionRun::status, ActionRun::exitCode, ActionRun::output)
        .containsExactly(tuple("Failed", 3, "connects\nmember 1 does not answer"));
    // and a repeat, as after a crash, runs nothing again
    assertThatThrownBy(this::run).hasMessageContaining("has already ended (Failed)");
  }

  @Test
  void shouldShowWhatItsPodWaitsFor() {
    // Given
    var running = start();
    var job = awaitJob();
    // When
    var waits =
        new ContainerStateBuilder().withNewWaiting("no such image", "ImagePullBackOff").build();
    new FakeJobs(cluster).createPod(job, "Pending", waits);
    // Then
    var message =
        "group g of component db: Job %1$s: pod %1$s-x: ImagePullBackOff: image redis:7.0 of container check: no such image"
            .formatted(job.getMetadata().getName());
    engine.awaitHeartbeat(message);
    cluster.await().until(() -> message.equals(runs().getFirst().message()));
    new FakeJobs(cluster).end(job, "Complete", "CompletionsReached", "it has succeeded");
    running.join();
  }

  @Test
  void shouldNotRepeatAJobThatIsGone() {
    // Given
    var running = start();
    var job = awaitJob();
    engine.awaitHeartbeat("group g of component db: Job ");
    // When
    cluster.client().resource(job).withGracePeriod(0).delete();
    // Then
    assertThatThrownBy(running::join).hasMessageContaining("is gone, and its result is unknown");
    assertThat(jobs()).isEmpty();
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Failed");
  }
}
