package io.middleware.engine.worker;

import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;

/** Temporal in memory, in which time passes as it does outside. */
final class InMemoryTemporal {
  private InMemoryTemporal() {}

  static TestWorkflowEnvironment with(WorkerInterceptor... interceptors) {
    return with(WorkflowClientOptions.getDefaultInstance(), interceptors);
  }

  static TestWorkflowEnvironment with(
      WorkflowClientOptions client, WorkerInterceptor... interceptors) {
    return TestWorkflowEnvironment.newInstance(
        TestEnvironmentOptions.newBuilder()
            .setUseTimeskipping(false)
            .setWorkflowClientOptions(client)
            .setWorkerFactoryOptions(
                WorkerFactoryOptions.newBuilder().setWorkerInterceptors(interceptors).build())
            .build());
  }
}
