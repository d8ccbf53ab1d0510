package io.middleware.engine.planning.operation;

import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.cluster.Rollout;
import java.util.List;
import java.util.stream.Stream;

/** The pods that an Operation names, among those of the groups that it works on. */
public final class TargetedPods {
  private TargetedPods() {}

  /** Why the Operation cannot be carried out on these groups. */
  public static List<String> problems(
      Operation operation, PluginSpec plugin, List<RenderedPods> groups) {
    var named = OperationTargets.pods(operation);
    var concerned =
        groups.stream()
            .filter(group -> named.isEmpty() || group.names().stream().anyMatch(named::contains))
            .toList();
    return Stream.concat(
            named.stream()
                .filter(pod -> concerned.stream().noneMatch(group -> group.names().contains(pod)))
                .map(pod -> unknown(pod, groups)),
            Stream.concat(
                SwitchoverRules.problems(operation, plugin, concerned),
                Stream.concat(
                    RebuildRules.problems(operation, plugin, concerned),
                    RotationRules.problems(operation, concerned))))
        .toList();
  }

  private static String unknown(String pod, List<RenderedPods> groups) {
    var known = groups.stream().flatMap(group -> group.names().stream()).toList();
    return "spec.target.pods: the target has no pod %s; there are: %s"
        .formatted(pod, Rollout.firstFew(known).orElse("none"));
  }
}
