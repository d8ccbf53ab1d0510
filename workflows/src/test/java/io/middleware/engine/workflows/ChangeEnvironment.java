package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.backup.BackupRemovalWorkflowImpl;
import io.middleware.engine.workflows.backup.BackupWorkflowImpl;
import io.middleware.engine.workflows.backup.FakeBackups;
import io.middleware.engine.workflows.component.ComponentChangeWorkflowImpl;
import io.middleware.engine.workflows.component.GroupChangeWorkflowImpl;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeTarget;
import io.middleware.engine.workflows.request.OperationRequest;
import io.middleware.engine.workflows.request.RetryRequest;
import io.middleware.engine.workflows.secrets.FakeSecrets;
import io.middleware.engine.workflows.secrets.SecretLookWorkflowImpl;
import io.temporal.activity.Activity;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An in-memory Temporal with our workflows and a fake cluster; registered, it lives for a test. */
public final class ChangeEnvironment implements AutoCloseable, AfterEachCallback {
  public static final String ID = "app/shop/cache";
  public static final String UID = "uid-1";

  public final FakeCluster cluster = new FakeCluster();
  public final FakeBackups backups = new FakeBackups();
  final TestWorkflowEnvironment temporal;

  ChangeEnvironment(boolean timeSkipping) {
    this(timeSkipping, Map.of());
  }

  /**
   * @param others further clusters of the same Temporal namespace, by name
   */
  ChangeEnvironment(boolean timeSkipping, Map<String, FakeCluster> others) {
    temporal =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(timeSkipping)
                .setWorkflowClientOptions(
                    WorkflowClientOptions.newBuilder().setIdentity("engine").build())
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder().setUsingVirtualWorkflowThreads(true).build())
                .registerSearchAttribute(
                    "MiddlewareApp", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "MiddlewareNamespace", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "MiddlewarePlugin", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "MiddlewareOutcome", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "MiddlewareTaskType", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "MiddlewareCluster", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "MiddlewareGeneration", IndexedValueType.INDEXED_VALUE_TYPE_INT)
                .build());
    serve("", cluster);
    others.forEach(this::serve);
    temporal.start();
  }

  private void serve(String name, FakeCluster served) {
    var options =
        WorkerOptions.newBuilder()
            .setDefaultDeadlockDetectionTimeout(5000)
            .setMaxHeartbeatThrottleInterval(Duration.ofMillis(100))
            .build();
    var worker = temporal.newWorker(TaskQueues.engine(name), options);
    worker.registerWorkflowImplementationTypes(
        AppChangeWorkflowImpl.class,
        ComponentChangeWorkflowImpl.class,
        GroupChangeWorkflowImpl.class,
        BackupWorkflowImpl.class,
        BackupRemovalWorkflowImpl.class,
        SecretLookWorkflowImpl.class,
        OperationWorkflowImpl.class);
    worker.registerActivitiesImplementations(
        served, new FakeChecks(served), backups, new FakeSecrets());
    temporal.newWorker(TaskQueues.plans(name), options).registerActivitiesImplementations(served);
    temporal.newWorker(TaskQueues.newApps(name), options).registerActivitiesImplementations(served);
    temporal.newWorker(TaskQueues.orders(name), options).registerActivitiesImplementations(served);
    temporal
        .newWorker(TaskQueues.waiting(name), options)
        .registerActivitiesImplementations(
            served, served.members, new FakeActions(served), new FakeChecks(served), backups);
    temporal
        .newWorker(TaskQueues.checks(name), options)
        .registerActivitiesImplementations(new FakeChecks(served));
  }

  /** An App of two components; the second one has two groups, the first of which has pods. */
  public static ChangeEnvironment withApp(boolean timeSkipping) {
    var env = new ChangeEnvironment(timeSkipping);
    env.cluster.groups.put("sentinel", List.of("all"));
    env.cluster.groups.put("nodes", List.of("shard-0", "shard-1"));
    env.cluster.pods.put("shard-0", List.of("s0-1", "s0-0"));
    env.cluster.planner =
        change -> Plans.inTurn(change.generation(), ChangeType.CONFIG, "sentinel", "nodes");
    return env;
  }

  /** The App's workflow, started or signalled with this generation. */
  public WorkflowStub change(long generation) {
    return change(request(generation));
  }

  public static ChangeRequest request(long generation) {
    return new ChangeRequest(new ChangeTarget("shop", "cache", UID, 0), generation, false);
  }

  /** The deletion of the App. */
  public static ChangeRequest deletion(long generation) {
    return new ChangeRequest(new ChangeTarget("shop", "cache", UID, 0), generation, true);
  }

  public WorkflowStub change(ChangeRequest request) {
    cluster.paused = request.paused();
    var stub = client().newUntypedWorkflowStub("AppChangeWorkflow", options());
    stub.signalWithStart("changed", new Object[] {request}, new Object[] {null});
    return client().newUntypedWorkflowStub(ID);
  }

  /** The App's workflow, started with a restart of this name; the App is at generation 7. */
  public void operate(String name) {
    start(ID, "AppChangeWorkflow", request(7).of(new OperationRequest(operation(name))));
  }

  static OperationRef operation(String name) {
    return new OperationRef(name, "uid-of-" + name, OperationAction.RESTART);
  }

  /** A workflow of this id and type, as if another run had started it. */
  public void start(String id, String type, Object... input) {
    var options = WorkflowOptions.newBuilder(options()).setWorkflowId(id).build();
    client().newUntypedWorkflowStub(type, options).start(input);
  }

  /** Runs the action when the operation begins, which then hangs until it is cancelled. */
  public void whenHangingAt(String operation, Runnable action) {
    during(
        operation,
        () -> {
          action.run();
          cluster.hang();
        });
  }

  /** Runs the action when the operation begins for the first time. */
  public void during(String operation, Runnable action) {
    cluster.waiting = operation;
    cluster.begun =
        begun -> {
          cluster.waiting = "";
          action.run();
        };
  }

  /** Waits, within a step of the cluster. */
  public void await(Supplier<Boolean> condition) {
    while (!condition.get()) {
      Activity.getExecutionContext().heartbeat("awaits");
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  /** Whether the operation happens for the first time. */
  public boolean isFirst(String operation) {
    return cluster.operations.stream().filter(operation::equals).count() == 1;
  }

  public WorkflowStub open() {
    return client().newUntypedWorkflowStub(ID);
  }

  /** The answer to an update. */
  public String update(String name, Object... input) {
    return open().update(name, String.class, input);
  }

  /** Why an update is refused. */
  String refusal(String name, Object... input) {
    try {
      return "accepted: " + update(name, input);
    } catch (WorkflowUpdateException e) {
      return ((ApplicationFailure) e.getCause()).getOriginalMessage();
    }
  }

  public static CancelRequest cancel(String... ids) {
    return new CancelRequest(List.of(ids));
  }

  public static RetryRequest retry(String... ids) {
    return new RetryRequest(List.of(ids), false);
  }

  /** Cancels a workflow as {@code temporal workflow cancel} does. */
  public void cancelNatively(String suffix) {
    client().newUntypedWorkflowStub(ID + suffix).cancel();
  }

  /** How the last run ended; a cancelled run has no result, and its last report says it. */
  public String result() {
    return result(ID);
  }

  /** The same of another workflow than the App's. */
  public String result(String id) {
    try {
      var run = client().newUntypedWorkflowStub(id);
      return Objects.toString(run.getResult(4, TimeUnit.MINUTES, Object.class), null);
    } catch (TimeoutException e) {
      throw new AssertionError("the run does not end: " + cluster.lastReport(), e);
    } catch (WorkflowFailedException e) {
      return e.getCause() instanceof ApplicationFailure failure
          ? failure.getOriginalMessage()
          : Reports.conclusion(cluster.lastReport());
    }
  }

  List<EventType> events() {
    return history("").map(HistoryEvent::getEventType).toList();
  }

  /** The history of the run, or of one of its children such as {@code /7/7-config-nodes}. */
  public Stream<HistoryEvent> history(String child) {
    return client().fetchHistory(ID + child).getEvents().stream();
  }

  /** Each change has one task, of one group, which the App's own run carries out. */
  public void carryOutInRun() {
    cluster.groups.put("nodes", List.of("shard-0"));
    cluster.pods.put("shard-0", List.of("s0-1", "s0-0"));
    cluster.planner =
        Plans.inRun(
            change ->
                Plans.undoing(change.generation(), ChangeType.CONFIG, Plans.ROLLBACK, "nodes"));
  }

  public List<TaskPhase> phases() {
    return cluster.lastReport().tasks().stream().map(TaskProgress::phase).toList();
  }

  public TaskProgress task(String id) {
    return cluster.lastReport().tasks().stream()
        .filter(task -> task.task().id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  String message(String id) {
    return task(id).fault().map(Fault::message).orElse("");
  }

  public WorkflowClient client() {
    return temporal.getWorkflowClient();
  }

  private static WorkflowOptions options() {
    return WorkflowOptions.newBuilder().setWorkflowId(ID).setTaskQueue(TaskQueues.ENGINE).build();
  }

  @Override
  public void afterEach(ExtensionContext test) {
    close();
  }

  @Override
  public void close() {
    temporal.close();
  }
}
