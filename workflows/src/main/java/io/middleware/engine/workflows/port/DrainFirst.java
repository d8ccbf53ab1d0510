package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/**
 * Nothing is written yet: these pods are about to be removed for good and must be drained before.
 *
 * @param pods in the order in which they are drained
 * @param agents of these pods
 */
@JsonTypeName("drainFirst")
public record DrainFirst(List<LeavingPod> pods, AgentEndpoint agents)
    implements GroupWrite, GroupRemoval {
  public DrainFirst {
    pods = List.copyOf(pods);
  }

  /** A pod that is about to be removed for good. */
  public record LeavingPod(String name, String uid) {}
}
