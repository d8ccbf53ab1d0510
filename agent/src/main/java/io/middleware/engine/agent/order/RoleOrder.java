package io.middleware.engine.agent.order;

import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The order of work on pods by their roles. The last role is that of the primary.
 *
 * @param roles in the words of the middleware, the first one first; a pod with another role comes
 *     before all of them
 */
public record RoleOrder(List<String> roles) {
  /** The name of this role in the protocol. */
  private static final String PRIMARY = "primary";

  /** The primary last. */
  public static final RoleOrder PRIMARY_LAST = new RoleOrder(List.of(PRIMARY));

  public RoleOrder {
    roles = List.copyOf(roles);
    if (roles.isEmpty()) {
      throw new IllegalArgumentException("an order by role needs a role");
    }
  }

  /** The name of the role in the protocol. */
  public String wireName(String role) {
    return role.equals(roles.getLast()) ? PRIMARY : role;
  }

  /**
   * Pods whose role is not known are the first: they may be broken, and the primary is another one.
   *
   * @param known the roles that are known, by pod, with their names in the protocol
   * @return empty when the primary may be among the pods whose role is not known
   */
  public Optional<WorkOrder> ofPods(
      Scenario scenario, List<String> pods, Map<String, String> known) {
    var byNumber = ReplicationOrder.ofPods(scenario, pods, Optional.empty());
    if (byNumber.concurrent()) {
      return Optional.of(byNumber);
    } else if (!known.containsValue(PRIMARY) && !known.keySet().containsAll(pods)) {
      return Optional.empty();
    }
    var byRole = Comparator.<String>comparingInt(pod -> rank(known.getOrDefault(pod, "")));
    return Optional.of(new WorkOrder(byNumber.names().stream().sorted(byRole).toList(), false));
  }

  private int rank(String role) {
    return role.equals(PRIMARY) ? roles.size() : roles.indexOf(role);
  }
}
