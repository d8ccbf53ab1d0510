package io.middleware.engine.worker;

import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.GrpcOrderingActivities.OrderLimits;
import io.middleware.engine.planning.PlanningPolicy;
import io.middleware.engine.planning.TaskPolicies;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.process.CheckSettings;
import io.middleware.engine.process.EngineSettings;

/** The policies that the settings ask for. */
final class Policies {
  private Policies() {}

  static PlanningPolicy ofPlans(EngineSettings settings, EndpointPolicy endpoints) {
    return new PlanningPolicy(ofTasks(settings), endpoints, settings.keptSpecs());
  }

  static TaskPolicies ofTasks(EngineSettings settings) {
    var tasks = settings.tasks();
    return new TaskPolicies(
        new TaskPolicy(tasks.timeout(), tasks.maxRetries(), tasks.retryBackoff()),
        new RollingPolicy(settings.rolling().batchSize(), settings.rolling().interval()));
  }

  static AgentPolicy ofAgents(EngineSettings.AgentCallSettings agent) {
    return new AgentPolicy(
        agent.timeout(), agent.attempts(), agent.maxReplyBytes(), agent.patience());
  }

  /** Orders that may be asked for at once, and waited for. */
  static OrderLimits ofOrders(EngineSettings.WorkerSettings worker) {
    return new OrderLimits(worker.activities(), worker.orders());
  }

  static EndpointPolicy ofEndpoints(CheckSettings checks) {
    return EndpointPolicy.of(checks.hosts(), checks.prometheusUrl());
  }
}
