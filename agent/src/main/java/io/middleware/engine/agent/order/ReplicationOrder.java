package io.middleware.engine.agent.order;

import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The order of work on a replication group: replicas one by one, the primary last. */
public final class ReplicationOrder {
  private static final Comparator<String> BY_NUMBER = Comparator.comparing(NumberedName::of);

  private ReplicationOrder() {}

  public static WorkOrder ofGroups(Scenario scenario, List<String> groups) {
    return inOrder(scenario, groups, BY_NUMBER);
  }

  /** Puts the primary last, except during provisioning, when the group does not serve yet. */
  public static WorkOrder ofPods(Scenario scenario, List<String> pods, Optional<String> primary) {
    var primaryLast =
        Comparator.<String, Boolean>comparing(pod -> Optional.of(pod).equals(primary))
            .thenComparing(BY_NUMBER);
    return inOrder(scenario, pods, isConcurrent(scenario) ? BY_NUMBER : primaryLast);
  }

  private static WorkOrder inOrder(
      Scenario scenario, List<String> names, Comparator<String> order) {
    return new WorkOrder(names.stream().sorted(order).toList(), isConcurrent(scenario));
  }

  private static boolean isConcurrent(Scenario scenario) {
    return switch (scenario) {
      case SCENARIO_PROVISION -> true;
      case SCENARIO_STOP, SCENARIO_UPDATE, SCENARIO_UPGRADE -> false;
      case SCENARIO_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no order for scenario " + scenario);
    };
  }
}
