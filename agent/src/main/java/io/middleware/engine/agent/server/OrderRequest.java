package io.middleware.engine.agent.server;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.HashSet;
import java.util.List;

/** The question for an order, whatever is to be ordered. */
record OrderRequest(String subject, Scenario scenario, List<String> names) {
  /** Refuses what the protocol rules out, in the words of the protocol. */
  OrderRequest {
    names = List.copyOf(names);
    if (scenario == Scenario.UNRECOGNIZED) {
      throw refusal(Status.UNIMPLEMENTED, "this agent is older than the scenario asked for");
    }
    if (scenario == Scenario.SCENARIO_UNSPECIFIED) {
      throw refusal(Status.INVALID_ARGUMENT, "scenario is missing");
    }
    if (subject.isEmpty()) {
      throw refusal(Status.INVALID_ARGUMENT, "the component's or group's name is missing");
    }
    var seen = new HashSet<String>();
    for (var name : names) {
      if (name.isEmpty() || !seen.add(name)) {
        throw refusal(Status.INVALID_ARGUMENT, "empty or repeated name: '" + name + "'");
      }
    }
  }

  private static StatusRuntimeException refusal(Status status, String description) {
    return status.withDescription(description).asRuntimeException();
  }
}
