package io.middleware.engine.agent.server;

import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.order.WorkOrder;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.List;

/**
 * What the agent of one pod answers. Requests are valid when they come here: a known scenario, each
 * name once. Refusals are {@code StatusRuntimeException}s and go to the caller as they are.
 */
public interface AgentAnswers {
  WorkOrder groupOrder(Scenario scenario, List<String> groups);

  WorkOrder podOrder(Scenario scenario, List<String> pods);

  String role();

  /** What acts on the pod's process. */
  Driver driver();
}
