package io.middleware.engine.agent.order;

import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How a replicated store wants to be worked on: replicas one by one, the primary last. */
public final class ReplicationOrder {
  private static final Comparator<String> BY_NUMBER = Comparator.comparing(NumberedName::of);

  private ReplicationOrder() {}

  public static WorkOrder ofGroups(Scenario scenario, List<String> groups) {
    return inOrder(scenario, groups, BY_NUMBER);
  }

  /** Only while provisioning the primary has no place of its own: nothing is served yet. */
  public static WorkOrder ofPods(
      Scenario scenario, List<String> pods, Optional<String> primary) {
    var primaryLast =
        Comparator.<String, Boolean>comparing(pod -> Optional.of(pod).equals(primary))
            .thenComparing(BY_NUMBER);
    return inOrder(scenario, pods, together(scenario) ? BY_NUMBER : primaryLast);
  }

  private static WorkOrder inOrder(
      Scenario scenario, List<String> names, Comparator<String> order) {
    return new WorkOrder(names.stream().sorted(order).toList(), together(scenario));
  }

  private static boolean together(Scenario scenario) {
    return switch (scenario) {
      case SCENARIO_PROVISION -> true;
      case SCENARIO_STOP, SCENARIO_UPDATE, SCENARIO_UPGRADE -> false;
      case SCENARIO_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no order for scenario " + scenario);
    };
  }
}
