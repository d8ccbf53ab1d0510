package io.middleware.engine.agent.server;

import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.order.WorkOrder;
import io.middleware.engine.agent.replication.RoleClaim;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.List;

/**
 * What the agent of one pod answers. The services have validated the requests: the scenario is
 * known and each name occurs once. A refusal is a {@code StatusRuntimeException}, which the caller
 * receives unchanged.
 */
public interface AgentAnswers {
  WorkOrder groupOrder(Scenario scenario, List<String> groups);

  WorkOrder podOrder(Scenario scenario, List<String> pods);

  String role();

  /** The role, and its term where the middleware has one. */
  default RoleClaim claim() {
    return driver().claim();
  }

  /** Changes with the role at the latest, and costs so little that it is read all the time. */
  default String roleSign() {
    return driver().roleSign();
  }

  /** What keeps the pod from doing what its role promises, for people; may be empty. */
  default String trouble() {
    return "";
  }

  /** Acts on the server process in the pod. */
  Driver driver();
}
