package io.middleware.engine.workflows.port;

import java.util.List;

/**
 * The pods to replace, first to last.
 *
 * @param pods with the uids they had when the order was made: no other pod is ever touched
 * @param degraded why the order is not the agents' own; empty when it is
 * @param agentPort where the agents of all pods listen; 0 when they have none
 */
public record PodOrder(List<OutdatedPod> pods, String degraded, int agentPort) {
  /** Nothing is out of date. */
  public static final PodOrder NOTHING = new PodOrder(List.of(), "", 0);

  public PodOrder {
    pods = List.copyOf(pods);
  }

  /** The pods whose turn it is, at most {@code size}. */
  public List<OutdatedPod> first(int size) {
    return pods.subList(0, Math.min(size, pods.size()));
  }

  /** The same without its first ones. */
  public PodOrder after(int size) {
    return new PodOrder(pods.subList(size, pods.size()), degraded, agentPort);
  }

  /**
   * @param role as its agent says, for example {@code primary}; empty when unknown
   */
  public record OutdatedPod(String name, String uid, String role) {}
}
