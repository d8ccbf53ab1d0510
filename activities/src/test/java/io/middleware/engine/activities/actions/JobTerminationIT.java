package io.middleware.engine.activities.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.status.KubernetesStatusActivities;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.ChangeProgress.Hold;
import io.middleware.engine.workflows.port.ChangeProgress.Notes;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A Job that is ended before its time. */
@ExtendWith(ApiServer.class)
class JobTerminationIT extends JobScene {

  JobTerminationIT(LocalNamespace cluster) {
    super(cluster);
  }

  @Test
  void shouldEndOnlyWhenThePodsOfACancelledJobAreGone() {
    // Given
    var running = start();
    var job = awaitJob();
    var pod = new FakeJobs(cluster).createPod(job);
    engine.awaitHeartbeat("group g of component db: Job ");
    // When
    interruption = new ActivityCanceledException();
    // Then
    var name = job.getMetadata().getName();
    engine.awaitHeartbeat("Job %1$s: pod %1$s-x: NotReady".formatted(name));
    var deleted = cluster.now(job).getMetadata();
    assertThat(deleted.getDeletionTimestamp()).isNotNull();
    assertThat(deleted.getFinalizers()).containsExactly("foregroundDeletion");
    cluster.client().resource(pod).withGracePeriod(0).delete();
    engine.awaitHeartbeat("Job %s: it is being deleted".formatted(name));
    assertThat(running).isNotDone();
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Running");
    new FakeJobs(cluster).collect(job);
    assertThatThrownBy(running::join).hasCauseInstanceOf(ActivityCanceledException.class);
    assertThat(runs())
        .extracting(ActionRun::status, ActionRun::message)
        .containsExactly(tuple("Cancelled", "it was terminated before it had ended"));
  }

  @Test
  void shouldLeaveTheJobToARunThatHasTakenOver() {
    // Given
    var running = start();
    var job = awaitJob();
    engine.awaitHeartbeat("group g of component db: Job ");
    // When
    atHeartbeat =
        () -> {
          cluster.patchStatus("{\"operation\": {\"runId\": \"run-2\"}}");
          engine.openRun = "run-2";
          throw new ActivityCanceledException();
        };
    // Then
    assertThatThrownBy(running::join)
        .cause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Superseded"));
    assertThat(cluster.now(job).getMetadata().getDeletionTimestamp()).isNull();
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Running");
  }

  @Test
  void shouldSayThatACancelledJobMayStillBeAtWork() {
    // Given
    interruption = new IllegalStateException("the process dies");
    assertThatThrownBy(this::run).isSameAs(interruption);
    var job = new JobState(withoutGrace(awaitJob()));
    new FakeJobs(cluster).createPod(job.job());
    // When
    var how =
        new JobTermination(engine.jobs, change, Duration.ofMillis(50))
            .run(cluster.view().app(AppKey.of(change)).orElseThrow(), job, engine.waiter);
    // Then
    assertThat(how)
        .isEqualTo(
            "it was terminated before it had ended; its grace period is over, and it may still be running: Job %1$s: pod %1$s-x: NotReady"
                .formatted(job.name()));
  }

  @Test
  void shouldDeleteAJobThatNobodyWaitedForBeforeTheOperationEnds() {
    // Given
    interruption = new IllegalStateException("the process dies");
    assertThatThrownBy(this::run).isSameAs(interruption);
    var job = awaitJob();
    new FakeJobs(cluster).createPod(job);
    // When
    assertThatThrownBy(this::stopLeftovers)
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Unavailable"))
        .hasMessageContaining("pod %s-x: NotReady".formatted(job.getMetadata().getName()));
    // Then
    assertThat(cluster.now(job).getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Running");
    // and when its grace time is over by any clock
    now = now.plusSeconds(60);
    assertThatThrownBy(this::stopLeftovers).hasMessageContaining("NotReady");
    now = now.plusSeconds(60);
    stopLeftovers();
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Cancelled");
    assertThat(runs().getFirst().message()).contains("it may still be running: Job ");
  }

  @Test
  void shouldKnowAtTheEndThatAJobOfAnUnknownUidWasTerminated() {
    // Given a worker that has died when it had created the Job
    var target = target();
    recorded().begin(target.job().name());
    cluster.await().until(() -> cluster.view().app(AppKey.of(change)).isPresent());
    var app = cluster.view().app(AppKey.of(change)).orElseThrow();
    engine.jobs.create(app, target.owner(), target.plugin(), target.job(), () -> {});
    var job = awaitJob();
    // When
    assertThatThrownBy(this::stopLeftovers).hasMessageContaining("it is being deleted");
    assertThat(runs())
        .extracting(ActionRun::uid, ActionRun::message)
        .containsExactly(
            tuple(job.getMetadata().getUid(), "it is being terminated, as its Operation ends"));
    new FakeJobs(cluster).collect(job);
    cluster.await().until(() -> jobs().isEmpty());
    stopLeftovers();
    // Then
    assertThat(runs())
        .extracting(ActionRun::status, ActionRun::message)
        .containsExactly(tuple("Cancelled", "it was terminated before it had ended"));
  }

  @Test
  void shouldEndWithTheOperationWhatNobodyWaitsFor() {
    // Given
    interruption = new IllegalStateException("the process dies");
    assertThatThrownBy(this::run).isSameAs(interruption);
    var job = awaitJob();
    cluster.client().resource(job).withGracePeriod(0).delete();
    cluster.await().until(() -> jobs().isEmpty());
    // When
    stopLeftovers();
    // Then
    assertThat(runs())
        .extracting(ActionRun::status, ActionRun::message)
        .containsExactly(
            tuple("Cancelled", "it was ended with the Operation, and its result is unknown"));
  }

  @Test
  void shouldSayAtTheEndWhichJobMayNotBeDeleted() {
    // Given
    interruption = new IllegalStateException("the process dies");
    assertThatThrownBy(this::run).isSameAs(interruption);
    var job = awaitJob();
    cluster.refuseDeletion(job);
    // When
    stopLeftovers();
    // Then
    assertThat(cluster.now(job).isMarkedForDeletion()).isFalse();
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Cancelled");
    assertThat(runs().getFirst().message())
        .startsWith(
            "Job %s still runs, delete it by hand: delete Job"
                .formatted(job.getMetadata().getName()))
        .contains("refused by a test");
  }

  @Test
  void shouldDeleteTheJobOfALostRunWhenAnotherRunOnlyReleasesTheApp() {
    // Given a cancelled Operation whose run was lost, and whose App is free
    interruption = new IllegalStateException("the process dies");
    assertThatThrownBy(this::run).isSameAs(interruption);
    var job = awaitJob();
    beginBy("run-1");
    cancel();
    cluster.patchStatus("{\"operation\": null}");
    // When the next run cannot begin it
    engine.openRun = "run-2";
    assertThatThrownBy(() -> endBy("run-2")).hasMessageContaining("it is being deleted");
    new FakeJobs(cluster).collect(job);
    endBy("run-2");
    // Then
    cluster.await().until(() -> jobs().isEmpty());
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Cancelled");
    // and the Operation is ended by who looks for lost runs
    assertThat(operation().hasEnded()).isFalse();
  }

  @Test
  void shouldNotTouchTheJobOfAnotherRunThatIsNotCancelled() {
    // Given
    interruption = new IllegalStateException("the process dies");
    assertThatThrownBy(this::run).isSameAs(interruption);
    var job = awaitJob();
    beginBy("run-1");
    cluster.patchStatus("{\"operation\": null}");
    // When
    engine.openRun = "run-2";
    endBy("run-2");
    // Then
    assertThat(cluster.now(job).isMarkedForDeletion()).isFalse();
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Running");
  }

  private void beginBy(String run) {
    new Operations(cluster.client()).write(change, found -> Optional.of(found.getStatus().by(run)));
  }

  private void cancel() {
    cluster
        .named(Operation.class, "check-1")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"cancel\": true}}");
  }

  /** What a run reports at its end that has not begun the Operation. */
  private void endBy(String run) {
    var ref =
        new ChangeRef(change.namespace(), change.app(), change.uid(), change.generation(), run)
            .of(change.operation());
    new KubernetesStatusActivities(
            cluster.client(),
            engine.status,
            cluster.view(),
            engine.runs,
            engine.transitions,
            engine.reports,
            Clock.systemUTC())
        .report(
            new ChangeProgress(
                ref,
                Instant.EPOCH,
                false,
                List.of(),
                Optional.empty(),
                Hold.NONE,
                Notes.NONE,
                Optional.of(new End(ChangeOutcome.CANCELLED, Instant.EPOCH, "", ""))));
  }

  @Test
  void shouldSayAtTheEndThatAJobWasNotCreated() {
    recorded().begin(target().job().name());
    // When
    stopLeftovers();
    // Then
    assertThat(runs()).extracting(ActionRun::message).containsExactly("its Job was not created");
  }

  private static Job withoutGrace(Job job) {
    return new JobBuilder(job)
        .editSpec()
        .editTemplate()
        .editSpec()
        .withTerminationGracePeriodSeconds(0L)
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }
}
