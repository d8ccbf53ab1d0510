package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/**
 * Nothing is written yet: these pods are about to be taken away and must be prepared before.
 *
 * @param pods in the order in which they are drained
 * @param agents of these pods
 * @param switchover whether a primary among them switches over before any of them is drained: other
 *     pods of the group stay
 * @param preparations missing in older histories: they are drained
 */
@JsonTypeName("drainFirst")
public record DrainFirst(
    List<LeavingPod> pods, AgentEndpoint agents, boolean switchover, List<Preparation> preparations)
    implements GroupWrite, GroupRemoval {
  public DrainFirst {
    pods = List.copyOf(pods);
    preparations = preparations == null ? List.of(Preparation.DRAIN) : List.copyOf(preparations);
  }

  /** Of pods that are drained, and nothing else. */
  public DrainFirst(List<LeavingPod> pods, AgentEndpoint agents, boolean switchover) {
    this(pods, agents, switchover, null);
  }

  /** A pod that is about to be taken away. */
  public record LeavingPod(String name, String uid) {}
}
