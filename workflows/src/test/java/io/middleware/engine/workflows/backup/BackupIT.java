package io.middleware.engine.workflows.backup;

import static io.middleware.engine.workflows.backup.FakeBackups.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.request.BackupRequest;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One run is one backup, which counts only when all copies are good. */
class BackupIT {
  private static final String ID = "backup/shop/now";
  private static final SearchAttributeKey<OffsetDateTime> SCHEDULED =
      SearchAttributeKey.forOffsetDateTime("TemporalScheduledStartTime");

  private final FakeBackups backups = new FakeBackups();
  private TestWorkflowEnvironment temporal;

  @BeforeEach
  void open() {
    temporal =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(false)
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder().setUsingVirtualWorkflowThreads(true).build())
                .registerSearchAttribute(
                    "MiddlewareOutcome", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "TemporalScheduledStartTime", IndexedValueType.INDEXED_VALUE_TYPE_DATETIME)
                .build());
    var options =
        WorkerOptions.newBuilder()
            .setDefaultDeadlockDetectionTimeout(5000)
            .setMaxHeartbeatThrottleInterval(Duration.ofMillis(100))
            .build();
    var engine = temporal.newWorker(TaskQueues.engine(""), options);
    engine.registerWorkflowImplementationTypes(
        BackupWorkflowImpl.class, BackupRemovalWorkflowImpl.class);
    engine.registerActivitiesImplementations(backups);
    temporal.newWorker(TaskQueues.waiting(""), options).registerActivitiesImplementations(backups);
    temporal.start();
  }

  @AfterEach
  void close() {
    temporal.close();
  }

  @Test
  void shouldCopyAllGroups() {
    // When
    var result = result(start(Optional.of("now"), SearchAttributes.EMPTY));
    // Then
    assertThat(result).isEqualTo("db/shard-0, db/shard-1 backed up");
    assertThat(backups.calls)
        .startsWith("begin now")
        .endsWith("end Succeeded: ")
        .containsExactlyInAnyOrder("begin now", "copy shard-0", "copy shard-1", "end Succeeded: ");
    var ref = backups.begun.getFirst();
    assertThat(ref.workflowId()).isEqualTo(ID);
    assertThat(ref.scheduled()).isFalse();
  }

  @Test
  void shouldNameTheBackupOfAScheduleAfterItsTime() {
    // Given
    var time =
        SearchAttributes.newBuilder()
            .set(SCHEDULED, OffsetDateTime.parse("2026-11-25T04:00:00+01:00"))
            .build();
    // When
    result(start(Optional.empty(), time));
    // Then
    assertThat(backups.calls).startsWith("begin cache-20261125-030000").endsWith("prune");
    assertThat(backups.begun.getFirst().scheduled()).isTrue();
  }

  @Test
  void shouldSucceedWhenOldBackupsCannotBeDeleted() {
    // Given
    backups.at.put("prune", fails("not now"));
    // When Then
    assertThat(result(start(Optional.empty(), SearchAttributes.EMPTY)))
        .isEqualTo("db/shard-0, db/shard-1 backed up; old backups could not be deleted: not now");
    assertThat(backups.begun.getFirst().name()).matches("cache-\\d{8}-\\d{6}");
  }

  @Test
  void shouldStopAndDiscardAllCopiesWhenOneFails() {
    // Given
    oneFails("no pod made a valid copy of db/shard-1");
    // When Then
    assertFails("AgentRefused", "no pod made a valid copy of db/shard-1");
    assertThat(backups.calls)
        .endsWith("discard", "end Failed: no pod made a valid copy of db/shard-1")
        .doesNotContain("prune");
  }

  @Test
  void shouldSayWhatRemains() {
    // Given
    oneFails("disk full");
    backups.at.put("discard", fails("access denied"));
    // When Then
    assertFails("AgentRefused", "disk full");
    assertThat(backups.calls)
        .endsWith(
            "end Failed: disk full; its copies in the store could not be deleted: access denied; they are deleted with the Backup");
  }

  @Test
  void shouldFailWhenTheTimeIsOver() {
    // Given
    backups.timeout = Duration.ofSeconds(1);
    backups.at.put("copy shard-0", FakeBackups::hangs);
    // When Then
    assertFails("Unavailable", "a step did not finish in time");
    assertThat(backups.calls.getLast()).startsWith("end Failed: a step did not finish in time");
    assertThat(backups.calls).contains("discard");
  }

  @Test
  void shouldEndAsCancelled() throws InterruptedException {
    // Given
    var copying = new CountDownLatch(1);
    backups.at.put(
        "copy shard-0",
        () -> {
          copying.countDown();
          FakeBackups.hangs();
        });
    backups.at.put("copy shard-1", FakeBackups::hangs);
    var run = start(Optional.of("now"), SearchAttributes.EMPTY);
    assertThat(copying.await(4, TimeUnit.MINUTES)).isTrue();
    // When
    run.cancel();
    // Then
    assertThatThrownBy(() -> result(run))
        .isInstanceOf(WorkflowFailedException.class)
        .hasRootCauseInstanceOf(CanceledFailure.class);
    assertThat(run.describe().getStatus())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
    assertThat(backups.calls).endsWith("discard", "end Cancelled: it was cancelled");
  }

  @Test
  void shouldCopyNothingWhenItIsRefused() {
    // Given
    backups.refusal = Optional.of("App shop/cache is stopped");
    // When Then
    assertFails("OperationRefused", "App shop/cache is stopped");
    assertThat(backups.calls).containsExactly("begin now");
  }

  @Test
  void shouldRemoveABackup() {
    // When
    var options = options(ID + BackupRemovalWorkflow.SUFFIX, SearchAttributes.EMPTY);
    temporal
        .getWorkflowClient()
        .newWorkflowStub(BackupRemovalWorkflow.class, options)
        .run(request(Optional.of("now")));
    // Then
    assertThat(backups.calls).containsExactly("remove now");
  }

  /**
   * The other one is still copied: the in-memory server drops the answer of a workflow task that
   * cancels an activity which ends at that moment.
   */
  private void oneFails(String why) {
    backups.at.put("copy shard-0", FakeBackups::hangs);
    backups.at.put("copy shard-1", fails(why));
  }

  private WorkflowStub start(Optional<String> backup, SearchAttributes attributes) {
    var run =
        temporal
            .getWorkflowClient()
            .newUntypedWorkflowStub("BackupWorkflow", options(ID, attributes));
    run.start(request(backup));
    return run;
  }

  private static BackupRequest request(Optional<String> backup) {
    return new BackupRequest("", "shop", "cache", backup);
  }

  private static WorkflowOptions options(String id, SearchAttributes attributes) {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(id)
        .setTaskQueue(TaskQueues.engine(""))
        .setTypedSearchAttributes(attributes)
        .build();
  }

  private static String result(WorkflowStub run) {
    return run.getResult(String.class);
  }

  private void assertFails(String kind, String text) {
    assertThatThrownBy(() -> result(start(Optional.of("now"), SearchAttributes.EMPTY)))
        .isInstanceOf(WorkflowFailedException.class)
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(kind);
              assertThat(failure.getOriginalMessage()).startsWith(text);
            });
  }
}
