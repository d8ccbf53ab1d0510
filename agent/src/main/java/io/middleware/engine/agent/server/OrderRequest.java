package io.middleware.engine.agent.server;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.HashSet;
import java.util.List;

/** A valid request for an order of groups or pods. */
record OrderRequest(String subject, Scenario scenario, List<String> names) {
  /** Refuses what the protocol does not allow. */
  OrderRequest {
    names = List.copyOf(names);
    if (scenario == Scenario.UNRECOGNIZED) {
      throw refusal(Status.UNIMPLEMENTED, "this agent is too old for the requested scenario");
    }
    if (scenario == Scenario.SCENARIO_UNSPECIFIED) {
      throw refusal(Status.INVALID_ARGUMENT, "scenario is missing");
    }
    if (subject.isEmpty()) {
      throw refusal(Status.INVALID_ARGUMENT, "the name of the component or group is missing");
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
