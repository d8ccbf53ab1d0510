package io.middleware.engine.activities.rollout;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.pods.HoldingChecks;
import io.middleware.engine.activities.pods.PodEvictor;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepReporter;
import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.PodActivities;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;

/** The steps of pods as a worker runs them, each once. */
final class LocalPodActivities {
  private LocalPodActivities() {}

  /** For plugins without agents. */
  static PodActivities start(
      TestActivityEnvironment temporal, LocalNamespace cluster, LocalEngine engine) {
    return start(temporal, cluster, engine, HoldingChecks.NONE);
  }

  /**
   * @param checks beside the tasks
   */
  static PodActivities start(
      TestActivityEnvironment temporal,
      LocalNamespace cluster,
      LocalEngine engine,
      HoldingChecks checks) {
    return start(temporal, cluster, engine, checks, new AgentChannels(name -> null));
  }

  /** The same for plugins with agents. */
  static PodActivities start(
      TestActivityEnvironment temporal,
      LocalNamespace cluster,
      LocalEngine engine,
      AgentChannels channels) {
    return start(temporal, cluster, engine, HoldingChecks.NONE, channels);
  }

  private static PodActivities start(
      TestActivityEnvironment temporal,
      LocalNamespace cluster,
      LocalEngine engine,
      HoldingChecks checks,
      AgentChannels channels) {
    var policy = new AgentPolicy(Duration.ofSeconds(5), 2, 1024);
    temporal.registerActivitiesImplementations(
        new KubernetesPodActivities(
            new PodStepContext(
                cluster.view(),
                engine.waiter,
                engine.gate,
                new PodEvictor(cluster.client(), engine.writers),
                new StepReporter(
                    engine.events, new ActionProgressWriter(engine.status, engine.secrets)),
                StopChecks.NONE),
            cluster.client(),
            new AgentQueries(channels, policy),
            new AgentActions(channels, policy),
            checks,
            new TaskPodProgress(engine.objects, engine.plugins, engine.specHistory, cluster.view()),
            new SimpleMeterRegistry()));
    return temporal.newActivityStub(
        PodActivities.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofSeconds(30))
            .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
            .build());
  }
}
