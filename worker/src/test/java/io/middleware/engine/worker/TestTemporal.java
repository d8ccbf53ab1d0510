package io.middleware.engine.worker;

import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;

/** Temporal in memory, in which time passes as it does outside. */
final class TestTemporal {
  private TestTemporal() {}

  static TestWorkflowEnvironment with(WorkerInterceptor interceptor) {
    return TestWorkflowEnvironment.newInstance(
        TestEnvironmentOptions.newBuilder()
            .setUseTimeskipping(false)
            .setWorkerFactoryOptions(
                WorkerFactoryOptions.newBuilder().setWorkerInterceptors(interceptor).build())
            .build());
  }
}
