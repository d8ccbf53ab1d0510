package io.middleware.engine.workflows.port;

import java.util.List;
import java.util.Optional;

/**
 * The pods to replace, first to last.
 *
 * @param pods with the uids they had when the order was made: no other pod is ever touched
 * @param degraded why the order is not the agents' own; empty when it is
 * @param agents of all pods
 * @param switchover whether a primary switches over before it is replaced
 * @param unanswered whether there is no order yet, because its agents could not give it at once
 * @param ahead whether the step of the next pod is scheduled while the pod before it gets ready;
 *     not so in orders of older engines
 */
public record PodOrder(
    List<OutdatedPod> pods,
    Optional<String> degraded,
    AgentEndpoint agents,
    boolean switchover,
    boolean unanswered,
    boolean ahead) {
  /** No pod is out of date. */
  public static final PodOrder NOTHING =
      new PodOrder(List.of(), Optional.empty(), AgentEndpoint.NONE, false);

  /** The agents must be waited for. */
  public static final PodOrder UNANSWERED =
      new PodOrder(List.of(), Optional.empty(), AgentEndpoint.NONE, false, true, true);

  public PodOrder {
    pods = List.copyOf(pods);
  }

  /** An order. */
  public PodOrder(
      List<OutdatedPod> pods, Optional<String> degraded, AgentEndpoint agents, boolean switchover) {
    this(pods, degraded, agents, switchover, false, true);
  }

  /**
   * The pods to replace next, at most {@code size}. A primary that switches over is replaced alone:
   * a pod that is replaced together with it may be the one that takes over.
   */
  public List<OutdatedPod> first(int size) {
    var most = Math.min(size, pods.size());
    for (var before = 0; before < most; before++) {
      if (switchover && pods.get(before).isPrimary()) {
        return pods.subList(0, Math.max(1, before));
      }
    }
    return pods.subList(0, most);
  }

  /** The same order without its first pods. */
  public PodOrder after(int size) {
    return new PodOrder(
        pods.subList(size, pods.size()), degraded, agents, switchover, unanswered, ahead);
  }

  /**
   * A pod that is out of date.
   *
   * @param role as its agent reports it, for example {@code primary}; empty when unknown
   * @param remembered whether the role is the last known one, because its agent does not report it
   */
  public record OutdatedPod(String name, String uid, Optional<String> role, boolean remembered) {
    /** The only role with a meaning: such a pod is replaced last, and switches over before. */
    public static final String PRIMARY = "primary";

    /** A pod whose agent has reported its role, or never did. */
    public OutdatedPod(String name, String uid, Optional<String> role) {
      this(name, uid, role, false);
    }

    boolean isPrimary() {
      return role.filter(PRIMARY::equals).isPresent();
    }
  }
}
