package io.middleware.engine.agent.server;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.order.ReplicationOrder;
import io.middleware.engine.agent.order.WorkOrder;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.List;

/** Answers for a pod of a replication group. */
public record ReplicationAnswers(Driver driver) implements AgentAnswers {
  @Override
  public WorkOrder groupOrder(Scenario scenario, List<String> groups) {
    return ReplicationOrder.ofGroups(scenario, groups);
  }

  @Override
  public WorkOrder podOrder(Scenario scenario, List<String> pods) {
    return ReplicationOrder.ofPods(scenario, pods, driver.primary());
  }

  @Override
  public String role() {
    return driver.roleName();
  }

  /** A role is an answer also when its trouble cannot be asked for. */
  @Override
  public String trouble() {
    try {
      return driver.trouble().orElse("");
    } catch (StatusRuntimeException e) {
      return "";
    }
  }
}
