package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.port.BackupRef;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.SecretActivities.SecretLook;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepOriginIT {
  private static final String QUEUE = "steps";
  private static final String ENDED_RUN = "an-ended-run";

  private final RecordedSteps steps = new RecordedSteps();
  private TestWorkflowEnvironment temporal;

  @BeforeEach
  void open() {
    temporal = InMemoryTemporal.with(new StepOrigin(""));
    var worker = temporal.newWorker(QUEUE);
    worker.registerWorkflowImplementationTypes(AskingImpl.class);
    worker.registerActivitiesImplementations(steps);
    temporal.start();
  }

  @AfterEach
  void close() {
    temporal.close();
  }

  @Test
  void shouldPassTheStepsOfAnApp() {
    // When
    ask("app/shop/cache", "task", "");
    ask("app/shop/cache", "release", "");
    ask("app/shop/cache/2/2-config-db/shard-0", "task", ENDED_RUN);
    ask("app/shop/cache", "taskLocally", "");
    // Then
    assertThat(steps.taken).containsExactly("task", "release", "task", "task");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mine", "app/shop/cache2", "app/shop", "app/other/cache/2/2-config-db"})
  void shouldRefuseAWorkflowThatIsNotTheApps(String workflow) {
    assertRefused(workflow, "task", "Task");
    assertRefused(workflow, "taskLocally", "Task");
    assertRefused(workflow, "release", "Release");
  }

  /** The id is the App's, but its run has ended. */
  @Test
  void shouldRefuseAnotherRun() {
    assertRefused("app/shop/cache", "task", "Task");
    assertRefused("app/shop/cache", "release", "Release");
  }

  @Test
  void shouldRefuseAStepOfTheAppsOwnBelowTheApp() {
    assertRefused("app/shop/cache/2/2-config-db", "release", "Release");
  }

  @Test
  void shouldRefuseAStepThatNamesNoChange() {
    assertRefused("app/shop/cache", "unknown", "Unknown");
  }

  /** Started by mistake on a task queue of this cluster. */
  @Test
  void shouldRefuseAnAppOfAnotherCluster() {
    assertRefused("west/app/shop/cache", "task", "Task");
    assertRefused("west/app/shop/cache/2/2-config-db", "task", "Task");
  }

  @Test
  void shouldPassTheStepsOfAnOperationsOwnWorkflow() {
    // When
    ask("op/shop/report-1", "operation", "");
    ask("op/shop/report-1/2/2-action-db", "operation", ENDED_RUN);
    // Then
    assertThat(steps.taken).containsExactly("task", "task");
  }

  @Test
  void shouldRefuseTheStepsOfAnotherOperation() {
    assertRefused("op/shop/report-2", "operation", "", "Task");
    assertRefused("app/shop/cache", "operation", "", "Task");
    assertRefused("op/shop/report-1", "operation", "Task");
    assertRefused("op/shop/report-1", "task", "", "Task");
  }

  @Test
  void shouldPassTheStepsOfABackup() {
    // When
    ask("backup/shop/before-upgrade", "backup", "");
    ask("backup/shop/before-upgrade/removal", "backup", "");
    ask("backup/shop/cache-2026-11-25T03:00:00Z", "scheduled backup", "");
    // Then
    assertThat(steps.taken).containsExactly("backup", "backup", "backup");
  }

  @Test
  void shouldRefuseTheStepsOfAnotherBackup() {
    assertRefused("backup/shop/before-upgrade-2", "backup", "", "Backup");
    assertRefused("backup/shop/before-upgrade", "scheduled backup", "", "Backup");
    assertRefused("backup/shop/before-upgrade", "backup", "Backup");
    assertRefused("west/backup/shop/before-upgrade", "backup", "", "Backup");
  }

  @Test
  void shouldPassTheWorkOfTests() {
    // When
    ask("test/shop/upgrade", "test", "");
    ask("test/shop/upgrade/swap", "test", "");
    ask("load/shop/benchmark", "test", "");
    // Then
    assertThat(steps.taken).containsExactly("test", "test", "test");
  }

  @Test
  void shouldRefuseTheWorkOfAnotherTest() {
    assertRefused("test/other/upgrade", "test", "", "Test");
    assertRefused("load/other/benchmark", "test", "", "Test");
    assertRefused("app/shop/cache", "test", "", "Test");
    assertRefused("load/shop/benchmark", "test", "Test");
    assertRefused("west/load/shop/benchmark", "test", "", "Test");
  }

  @Test
  void shouldLookSecretsUpForOneWorkflowOnly() {
    // When
    assertRefused("secrets/other-system", "secrets", "Secrets");
    assertRefused("app/shop/cache", "secrets", "Secrets");
    ask("secrets/middleware-system", "secrets", "");
    // Then
    assertThat(steps.taken).containsExactly("secrets");
  }

  private void assertRefused(String workflow, String step, String type) {
    assertRefused(workflow, step, ENDED_RUN, type);
  }

  private void assertRefused(String workflow, String step, String run, String type) {
    assertThatThrownBy(() -> ask(workflow, step, run))
        .isInstanceOf(WorkflowFailedException.class)
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo("Forbidden");
              assertThat(failure.getOriginalMessage())
                  .startsWith("workflow %s may not ask for %s".formatted(workflow, type));
            });
    assertThat(steps.taken).isEmpty();
  }

  private void ask(String workflow, String step, String run) {
    var options = WorkflowOptions.newBuilder().setTaskQueue(QUEUE).setWorkflowId(workflow).build();
    temporal.getWorkflowClient().newWorkflowStub(Asking.class, options).ask(step, run);
  }

  @WorkflowInterface
  public interface Asking {
    /**
     * @param run that the step names; empty for its own
     */
    @WorkflowMethod
    void ask(String step, String run);
  }

  @ActivityInterface
  public interface Steps {
    void task(TaskRef task);

    void release(ChangeRef change);

    void backup(BackupRef backup);

    void test(TestRef test);

    void secrets(SecretLook look);

    void unknown(String word);
  }

  public static final class AskingImpl implements Asking {
    private static final Optional<OperationRef> REPORT =
        Optional.of(new OperationRef("report-1", "uid", OperationAction.PLUGIN, "report", true));

    @Override
    public void ask(String step, String run) {
      var named = run.isEmpty() ? Workflow.getInfo().getRunId() : run;
      var change =
          new ChangeRef(
              "shop",
              "cache",
              "uid",
              2,
              named,
              WorkflowIds.cluster(Workflow.getInfo().getWorkflowId()));
      var task = new TaskRef(change, "2-config-db", ChangeType.CONFIG, "db");
      var steps =
          Workflow.newActivityStub(
              Steps.class,
              ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build());
      switch (step) {
        case "task" -> steps.task(task);
        case "release" -> steps.release(change);
        case "operation" ->
            steps.task(new TaskRef(change.of(REPORT), "2-action-db", ChangeType.ACTION, "db"));
        case "unknown" -> steps.unknown("anything");
        case "backup" -> steps.backup(backup(named, false));
        case "test" -> steps.test(test(named));
        case "secrets" -> steps.secrets(new SecretLook("", "middleware-system", List.of()));
        case "scheduled backup" -> steps.backup(backup(named, true));
        default ->
            Workflow.newLocalActivityStub(
                    Steps.class,
                    LocalActivityOptions.newBuilder()
                        .setStartToCloseTimeout(Duration.ofMinutes(1))
                        .build())
                .task(task);
      }
    }
  }

  private static BackupRef backup(String run, boolean scheduled) {
    var id = Workflow.getInfo().getWorkflowId();
    var cluster = WorkflowIds.cluster(id);
    return new BackupRef(cluster, "shop", "cache", "before-upgrade", id, run, scheduled);
  }

  private static TestRef test(String run) {
    var id = Workflow.getInfo().getWorkflowId();
    return new TestRef(WorkflowIds.cluster(id), "shop", "benchmark", "uid", id, run);
  }

  static final class RecordedSteps implements Steps {
    private final List<String> taken = new CopyOnWriteArrayList<>();

    @Override
    public void task(TaskRef task) {
      taken.add("task");
    }

    @Override
    public void secrets(SecretLook look) {
      taken.add("secrets");
    }

    @Override
    public void release(ChangeRef change) {
      taken.add("release");
    }

    @Override
    public void backup(BackupRef backup) {
      taken.add("backup");
    }

    @Override
    public void test(TestRef test) {
      taken.add("test");
    }

    @Override
    public void unknown(String word) {
      taken.add("unknown");
    }
  }
}
