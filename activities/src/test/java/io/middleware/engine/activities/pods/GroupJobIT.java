package io.middleware.engine.activities.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.apiserver.ApiServer;
import io.middleware.engine.activities.apiserver.TestCluster;
import io.middleware.engine.activities.apiserver.TestEngine;
import io.middleware.engine.activities.kubernetes.Operations;
import io.middleware.engine.activities.plan.PluginActions;
import io.middleware.engine.activities.pods.GroupJob.JobTarget;
import io.middleware.engine.api.ActionRun;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The action {@code check} as a Job of the group {@code g}; the test plays the Job's controller.
 */
@ExtendWith(ApiServer.class)
class GroupJobIT {
  private static final String PLUGIN =
      """
      name: redis
      version: 1.0.0
      runtimes: [{name: redis, versions: [{version: "7.0", images: {redis: "redis:7.0"}}]}]
      componentTypes:
      - name: redis
        actions:
        - name: check
          runs: Job
          job:
            apiVersion: batch/v1
            kind: Job
            spec: {template: {spec: {containers: [{name: check, image: "${images.redis}"}]}}}
        templates:
        - template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${name}"}}
      """;
  private static final String GROUP =
      "{app: cache, component: db, type: redis, group: g, plugin: {name: redis, version: 1.0.0},"
          + " runtime: {name: redis, version: '7.0'}, replicas: 2}";

  private final TestCluster cluster;
  private final TestEngine engine;

  /** What ends a wait. */
  private volatile RuntimeException interruption;

  private ChangeRef change;
  private Operation operation;
  private Group owner;

  GroupJobIT(TestCluster cluster) {
    this.cluster = cluster;
    this.engine = new TestEngine(cluster);
  }

  @BeforeEach
  void begin() {
    change = BegunAction.begin(cluster, engine, "check-1", "check");
    owner = BegunAction.createGroup(cluster, read(GROUP, GroupSpec.class));
    operation = new Operations(cluster.client()).find(change).orElseThrow();
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
    new TestJobs(cluster).createPod(job, "Succeeded", 0, "all 2 are well");
    new TestJobs(cluster).end(job, "Complete", "CompletionsReached", "it has succeeded");
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
    new TestJobs(cluster).end(job, "Complete", "CompletionsReached", "it has succeeded");
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
    new TestJobs(cluster).end(awaitJob(), "Complete", "CompletionsReached", "it has succeeded");
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
    new TestJobs(cluster).createPod(job, "Failed", 3, "connects\nmember 1 does not answer\n");
    new TestJobs(cluster).end(job, "Failed", "BackoffLimitExceeded", "it has failed");
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
        .containsExactly(tuple("Failed", 3, "connects\nmember 1 does not answer\n"));
    // and a repeat, as after a crash, runs nothing again
    assertThatThrownBy(this::run).hasMessageContaining("has ended before (Failed)");
  }

  @Test
  void shouldShowWhatItsPodWaitsFor() {
    // Given
    var running = start();
    var job = awaitJob();
    // When
    var waits =
        new ContainerStateBuilder().withNewWaiting("no such image", "ImagePullBackOff").build();
    new TestJobs(cluster).createPod(job, "Pending", waits);
    // Then
    var message =
        "group g of component db: Job %1$s: pod %1$s-x: ImagePullBackOff: no such image"
            .formatted(job.getMetadata().getName());
    engine.awaitHeartbeat(message);
    cluster.await().until(() -> message.equals(runs().getFirst().message()));
    new TestJobs(cluster).end(job, "Complete", "CompletionsReached", "it has succeeded");
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

  @Test
  void shouldDeleteTheJobWhenItIsCancelled() {
    // Given
    var running = start();
    var job = awaitJob();
    engine.awaitHeartbeat("group g of component db: Job ");
    // When
    interruption = new ActivityCanceledException();
    // Then
    assertThatThrownBy(running::join).hasCauseInstanceOf(ActivityCanceledException.class);
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Cancelled");
    var deleted = cluster.now(job).getMetadata();
    assertThat(deleted.getDeletionTimestamp()).isNotNull();
    assertThat(deleted.getFinalizers()).containsExactly("foregroundDeletion");
  }

  @Test
  void shouldDeleteAJobThatNobodyWaitedForWhenTheOperationEnds() {
    // Given
    interruption = new IllegalStateException("the process dies");
    assertThatThrownBy(this::run).isSameAs(interruption);
    var job = awaitJob();
    // When
    stopLeftovers();
    // Then
    assertThat(cluster.now(job).getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(runs()).extracting(ActionRun::status).containsExactly("Cancelled");
  }

  @Test
  void shouldSayAtTheEndThatAJobWasNotCreated() {
    recorded().begin(target().job().name());
    // When
    stopLeftovers();
    // Then
    assertThat(runs()).extracting(ActionRun::message).containsExactly("its Job was not created");
  }

  /** What the run does at the end of its Operation. */
  private void stopLeftovers() {
    var found = new Operations(cluster.client()).find(change).orElseThrow();
    new LeftoverJobs(cluster.view(), engine.jobs, new Operations(cluster.client()))
        .stop(change, found);
  }

  private CompletableFuture<Void> start() {
    return CompletableFuture.runAsync(this::run);
  }

  private void run() {
    var steps = engine.steps(cluster.view(), this::heartbeat);
    new GroupJob(steps, engine.jobs, recorded(), target()).run();
  }

  private ActionRuns recorded() {
    return new ActionRuns(new Operations(cluster.client()), engine.secrets, target().group());
  }

  private JobTarget target() {
    var plugin = read(PLUGIN, PluginSpec.class);
    var action = new PluginActions(plugin).find("redis", "check").orElseThrow();
    return new JobTarget(
        new GroupRef(new TaskRef(change, "1-action-db-1234", ChangeType.ACTION, "db"), "g"),
        owner,
        plugin,
        PluginActions.job(action, operation, owner.getSpec()));
  }

  private void heartbeat(String message) {
    engine.heartbeats.add(message);
    if (interruption != null) {
      throw interruption;
    }
  }

  private Job awaitJob() {
    cluster.await().until(() -> jobs().size() == 1);
    return jobs().getFirst();
  }

  private List<Job> jobs() {
    return new TestJobs(cluster).all();
  }

  private List<ActionRun> runs() {
    return new Operations(cluster.client()).find(change).orElseThrow().getStatus().runs();
  }

  private static <T> T read(String yaml, Class<T> type) {
    return Serialization.unmarshal("---\n" + yaml, type); // otherwise flow style is read as JSON
  }
}
