package io.middleware.engine.worker;

import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.workflows.AppChangeWorkflowImpl;
import io.middleware.engine.workflows.ComponentChangeWorkflowImpl;
import io.middleware.engine.workflows.GroupChangeWorkflowImpl;
import io.middleware.engine.workflows.port.TaskQueues;
import io.temporal.client.WorkflowClient;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;

/** Temporal workers for our two task queues. */
final class TemporalWorkers {
  /**
   * A cancel reaches a waiting step with its next heartbeat; the SDK's 2.4 s would be most of 3.
   */
  private static final Duration HEARTBEAT_THROTTLE = Duration.ofMillis(250);

  /** How long a workflow waits for a worker that has died before any other may go on with it. */
  private static final Duration STICKY_WAIT = Duration.ofSeconds(2);

  private TemporalWorkers() {}

  static WorkerFactory of(
      WorkflowClient client, EngineSettings.Worker settings, ActivityAssembly activities) {
    var factory =
        WorkerFactory.newInstance(
            client,
            WorkerFactoryOptions.newBuilder()
                .setUsingVirtualWorkflowThreads(true)
                .setWorkerInterceptors(new KeepAlive())
                .setWorkflowCacheSize(settings.workflowCache())
                .build());
    var engine = factory.newWorker(TaskQueues.ENGINE, engine(settings));
    engine.registerWorkflowImplementationTypes(
        AppChangeWorkflowImpl.class,
        ComponentChangeWorkflowImpl.class,
        GroupChangeWorkflowImpl.class);
    engine.registerActivitiesImplementations(activities.all());
    factory
        .newWorker(TaskQueues.WAIT, waits(settings))
        .registerActivitiesImplementations(activities.waiting());
    return factory;
  }

  private static WorkerOptions engine(EngineSettings.Worker settings) {
    return WorkerOptions.newBuilder()
        .setUsingVirtualThreads(true)
        .setMaxConcurrentWorkflowTaskExecutionSize(settings.workflowTasks())
        .setMaxConcurrentActivityExecutionSize(settings.activities())
        .setMaxConcurrentLocalActivityExecutionSize(settings.activities())
        .setMaxConcurrentWorkflowTaskPollers(settings.pollers())
        .setStickyQueueScheduleToStartTimeout(STICKY_WAIT)
        .setMaxConcurrentActivityTaskPollers(settings.pollers())
        .setMaxHeartbeatThrottleInterval(HEARTBEAT_THROTTLE)
        .build();
  }

  private static WorkerOptions waits(EngineSettings.Worker settings) {
    return WorkerOptions.newBuilder()
        .setUsingVirtualThreads(true)
        .setLocalActivityWorkerOnly(false)
        .setMaxConcurrentActivityExecutionSize(settings.waits())
        .setMaxConcurrentActivityTaskPollers(settings.pollers())
        .setMaxHeartbeatThrottleInterval(HEARTBEAT_THROTTLE)
        .build();
  }
}
