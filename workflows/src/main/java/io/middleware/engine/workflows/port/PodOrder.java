package io.middleware.engine.workflows.port;

import java.util.ArrayList;
import java.util.List;

/**
 * The pods to replace, first to last.
 *
 * @param pods with the uids they had when the order was made: no other pod is ever touched
 * @param degraded why the order is not the agents' own; empty when it is
 */
public record PodOrder(List<OutdatedPod> pods, String degraded) {
  public PodOrder {
    pods = List.copyOf(pods);
  }

  /** The pods that are in work together, at most {@code size}. */
  public List<List<OutdatedPod>> batches(int size) {
    var batches = new ArrayList<List<OutdatedPod>>();
    for (int from = 0; from < pods.size(); from += size) {
      batches.add(pods.subList(from, Math.min(from + size, pods.size())));
    }
    return batches;
  }

  /**
   * @param role as its agent says, for example {@code primary}; empty when unknown
   */
  public record OutdatedPod(String name, String uid, String role) {}
}
