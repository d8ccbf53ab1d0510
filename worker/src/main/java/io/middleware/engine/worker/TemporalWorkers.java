package io.middleware.engine.worker;

import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.UnreadableInputException;
import io.middleware.engine.process.trace.Tracing;
import io.middleware.engine.workflows.AppChangeWorkflowImpl;
import io.middleware.engine.workflows.OperationWorkflowImpl;
import io.middleware.engine.workflows.backup.BackupRemovalWorkflowImpl;
import io.middleware.engine.workflows.backup.BackupWorkflowImpl;
import io.middleware.engine.workflows.component.ComponentChangeWorkflowImpl;
import io.middleware.engine.workflows.component.GroupChangeWorkflowImpl;
import io.middleware.engine.workflows.port.HeartbeatContract;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.secrets.SecretLookWorkflowImpl;
import io.middleware.engine.workflows.testing.IntegrationTestWorkflowImpl;
import io.middleware.engine.workflows.testing.LoadTestWorkflowImpl;
import io.temporal.client.WorkflowClient;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import io.temporal.worker.WorkflowImplementationOptions;
import io.temporal.worker.tuning.ActivitySlotInfo;
import io.temporal.worker.tuning.CompositeTuner;
import io.temporal.worker.tuning.FixedSizeSlotSupplier;
import io.temporal.worker.tuning.SlotSupplier;
import io.temporal.worker.tuning.WorkerTuner;
import io.temporal.worker.tuning.WorkflowSlotInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The Temporal workers of the task queues. */
final class TemporalWorkers {
  /** How long a workflow task waits for its own worker before any worker may take it. */
  private static final Duration STICKY_TIMEOUT = Duration.ofSeconds(1);

  /**
   * How long workflow code may compute before the SDK takes it for a deadlock. On a machine that is
   * busy, or that collects garbage, code that decides in a millisecond may take seconds.
   */
  private static final Duration LONGEST_DECISION = Duration.ofSeconds(5);

  /** How long runs that are stuck can hold up a plan. */
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(10);

  /** Workflow tasks of tests at a time. */
  private static final int TEST_DECISIONS = 10;

  /** Those of the queue of the engine. */
  private static final Class<?>[] WORKFLOWS = {
    AppChangeWorkflowImpl.class,
    ComponentChangeWorkflowImpl.class,
    GroupChangeWorkflowImpl.class,
    OperationWorkflowImpl.class,
    BackupWorkflowImpl.class,
    BackupRemovalWorkflowImpl.class,
    SecretLookWorkflowImpl.class
  };

  private TemporalWorkers() {}

  /**
   * Those of all queues.
   *
   * @param tests the activities of tests
   */
  static WorkerFactory of(
      WorkflowClient client,
      EngineSettings all,
      ActivityAssembly activities,
      Object[] tests,
      Tracing tracing) {
    var settings = all.worker();
    var cluster = all.cluster();
    var factory =
        WorkerFactory.newInstance(
            client,
            WorkerFactoryOptions.newBuilder()
                .setUsingVirtualWorkflowThreads(true)
                .setWorkerInterceptors(
                    interceptors(
                        tracing,
                        activities.clock().observer(),
                        new KeepAlive(),
                        new ReadableResults(),
                        new StepOrigin(cluster),
                        new Redaction(activities.secrets())))
                .setWorkflowCacheSize(settings.workflowCache())
                .build());
    var version = WorkerVersion.of(settings, System.getenv());
    var admission = new Admission(settings.changes(), LONGEST_DELAY);
    var engine =
        factory.newWorker(TaskQueues.engine(cluster), version.in(engine(settings, admission)));
    engine.registerWorkflowImplementationTypes(failingWithoutInput(), WORKFLOWS);
    engine.registerActivitiesImplementations(activities.all());
    for (var plans : List.of(TaskQueues.plans(cluster), TaskQueues.newApps(cluster))) {
      factory
          .newWorker(plans, version.in(planning(settings, admission)))
          .registerActivitiesImplementations(activities.planning());
    }
    addWaiting(factory, all, version, activities);
    addTests(factory, all, version, tests);
    return factory;
  }

  private static void addWaiting(
      WorkerFactory factory,
      EngineSettings all,
      WorkerVersion version,
      ActivityAssembly activities) {
    var settings = all.worker();
    var cluster = all.cluster();
    factory
        .newWorker(TaskQueues.waiting(cluster), version.in(waiting(settings, settings.waits())))
        .registerActivitiesImplementations(activities.waiting());
    factory
        .newWorker(TaskQueues.orders(cluster), version.in(waiting(settings, settings.orders())))
        .registerActivitiesImplementations(activities.ordering());
    factory
        .newWorker(TaskQueues.checks(cluster), version.in(waiting(settings, settings.checks())))
        .registerActivitiesImplementations(activities.checking());
  }

  private static void addTests(
      WorkerFactory factory, EngineSettings all, WorkerVersion version, Object[] activities) {
    var tests =
        factory.newWorker(TaskQueues.tests(all.cluster()), version.in(testing(all.worker())));
    tests.registerWorkflowImplementationTypes(
        failingWithoutInput(), IntegrationTestWorkflowImpl.class, LoadTestWorkflowImpl.class);
    tests.registerActivitiesImplementations(activities);
  }

  /** The later ones stand around the earlier ones: traces have what is redacted only. */
  static WorkerInterceptor[] interceptors(Tracing tracing, WorkerInterceptor... own) {
    List<WorkerInterceptor> all = new ArrayList<>(List.of(own));
    if (all.addAll(tracing.workerInterceptors())) {
      all.add(new NextChangeTrace());
    }
    return all.toArray(WorkerInterceptor[]::new);
  }

  /** Any other exception that is not meant for Temporal repeats the workflow task. */
  static WorkflowImplementationOptions failingWithoutInput() {
    return WorkflowImplementationOptions.newBuilder()
        .setFailWorkflowExceptionTypes(UnreadableInputException.class)
        .build();
  }

  static WorkerOptions engine(EngineSettings.WorkerSettings settings, Admission admission) {
    return WorkerOptions.newBuilder()
        .setUsingVirtualThreads(true)
        .setWorkerTuner(
            slots(
                admission.runs(settings.workflowTasks()),
                new FixedSizeSlotSupplier<>(settings.activities()),
                settings.activities()))
        .setMaxConcurrentWorkflowTaskPollers(settings.pollers())
        .setStickyQueueScheduleToStartTimeout(STICKY_TIMEOUT)
        .setDefaultDeadlockDetectionTimeout(LONGEST_DECISION.toMillis())
        .setMaxConcurrentActivityTaskPollers(settings.pollers())
        .setMaxHeartbeatThrottleInterval(HeartbeatContract.THROTTLE)
        .build();
  }

  private static WorkerOptions planning(
      EngineSettings.WorkerSettings settings, Admission admission) {
    return WorkerOptions.newBuilder()
        .setUsingVirtualThreads(true)
        .setWorkerTuner(slots(new FixedSizeSlotSupplier<>(1), admission.plans(), 1))
        .setMaxConcurrentActivityTaskPollers(settings.pollers())
        .setMaxHeartbeatThrottleInterval(HeartbeatContract.THROTTLE)
        .build();
  }

  private static WorkerOptions testing(EngineSettings.WorkerSettings settings) {
    return WorkerOptions.newBuilder()
        .setUsingVirtualThreads(true)
        .setWorkerTuner(
            slots(
                new FixedSizeSlotSupplier<>(TEST_DECISIONS),
                new FixedSizeSlotSupplier<>(settings.tests()),
                1))
        .setMaxConcurrentWorkflowTaskPollers(settings.pollers())
        .setStickyQueueScheduleToStartTimeout(STICKY_TIMEOUT)
        .setDefaultDeadlockDetectionTimeout(LONGEST_DECISION.toMillis())
        .setMaxConcurrentActivityTaskPollers(settings.pollers())
        .setMaxHeartbeatThrottleInterval(HeartbeatContract.THROTTLE)
        .build();
  }

  private static WorkerTuner slots(
      SlotSupplier<WorkflowSlotInfo> workflowTasks,
      SlotSupplier<ActivitySlotInfo> activities,
      int localActivities) {
    return new CompositeTuner(
        workflowTasks,
        activities,
        new FixedSizeSlotSupplier<>(localActivities),
        new FixedSizeSlotSupplier<>(1));
  }

  private static WorkerOptions waiting(EngineSettings.WorkerSettings settings, int slots) {
    return WorkerOptions.newBuilder()
        .setUsingVirtualThreads(true)
        .setLocalActivityWorkerOnly(false)
        .setMaxConcurrentActivityExecutionSize(slots)
        .setMaxConcurrentActivityTaskPollers(settings.pollers())
        .setMaxHeartbeatThrottleInterval(HeartbeatContract.THROTTLE)
        .build();
  }
}
