package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Map;

/**
 * Nothing is written yet: these pods are about to be taken away and must be prepared before.
 *
 * @param pods all of them, in the order in which they are drained
 * @param agents of these pods
 * @param switchover whether a primary among them switches over before any of them is drained: other
 *     pods of the group stay
 * @param preparations missing in older histories: they are drained
 * @param by the pods of each preparation; missing in older histories: all of them
 */
@JsonTypeName("drainFirst")
public record DrainFirst(
    List<LeavingPod> pods,
    AgentEndpoint agents,
    boolean switchover,
    List<Preparation> preparations,
    Map<Preparation, List<LeavingPod>> by)
    implements GroupWrite, GroupRemoval {
  public DrainFirst {
    pods = List.copyOf(pods);
    preparations = preparations == null ? List.of(Preparation.DRAIN) : List.copyOf(preparations);
    by = by == null ? Map.of() : Map.copyOf(by);
  }

  /** Each with its pods. */
  public DrainFirst(
      Map<Preparation, List<LeavingPod>> by, AgentEndpoint agents, boolean switchover) {
    this(
        by.values().stream().flatMap(List::stream).distinct().toList(),
        agents,
        switchover,
        List.copyOf(by.keySet()),
        by);
  }

  /** Of pods that are drained, and nothing else. */
  public DrainFirst(List<LeavingPod> pods, AgentEndpoint agents, boolean switchover) {
    this(pods, agents, switchover, null, null);
  }

  /** A pod that is about to be taken away. */
  public record LeavingPod(String name, String uid) {}
}
