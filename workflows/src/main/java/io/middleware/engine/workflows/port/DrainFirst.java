package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/**
 * Nothing is written yet: these pods are about to be removed for good and must be drained before.
 *
 * @param pods in the order in which they are drained
 * @param agents of these pods
 * @param switchover whether a primary among them switches over before any of them is drained: other
 *     pods of the group stay
 */
@JsonTypeName("drainFirst")
public record DrainFirst(List<LeavingPod> pods, AgentEndpoint agents, boolean switchover)
    implements GroupWrite, GroupRemoval {
  public DrainFirst {
    pods = List.copyOf(pods);
  }

  /** A pod that is about to be removed for good. */
  public record LeavingPod(String name, String uid) {}
}
