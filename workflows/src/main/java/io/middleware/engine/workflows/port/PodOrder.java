package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNullElse;

import java.util.List;

/**
 * The pods to replace, first to last.
 *
 * @param pods with the uids they had when the order was made: no other pod is ever touched
 * @param degraded why the order is not the agents' own; empty when it is
 * @param agents of all pods; none when nothing is said
 * @param switchover whether a primary switches over before it is replaced; not when nothing is said
 */
public record PodOrder(
    List<OutdatedPod> pods, String degraded, AgentEndpoint agents, boolean switchover) {
  /** Nothing is out of date. */
  public static final PodOrder NOTHING = new PodOrder(List.of(), "", AgentEndpoint.NONE, false);

  public PodOrder {
    pods = List.copyOf(pods);
    agents = requireNonNullElse(agents, AgentEndpoint.NONE);
  }

  /**
   * The pods whose turn it is, at most {@code size}. A primary that is to switch over goes alone,
   * as one that goes with it may be the one that takes over.
   */
  public List<OutdatedPod> first(int size) {
    var most = Math.min(size, pods.size());
    for (var before = 0; before < most; before++) {
      if (switchover && pods.get(before).role().equals(OutdatedPod.PRIMARY)) {
        return pods.subList(0, Math.max(1, before));
      }
    }
    return pods.subList(0, most);
  }

  /** The same without its first ones. */
  public PodOrder after(int size) {
    return new PodOrder(pods.subList(size, pods.size()), degraded, agents, switchover);
  }

  /**
   * @param role as its agent says, for example {@code primary}; empty when unknown
   */
  public record OutdatedPod(String name, String uid, String role) {
    /** The role that has a meaning: it goes last, and switches over before. */
    public static final String PRIMARY = "primary";
  }
}
