package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.volumes.VolumeClaims;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.AgentOrders;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.planning.operation.OperationTargets;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rebuilds the replicas of a group that an Operation names: one after the other, in the agents'
 * order.
 */
record GroupRebuild(
    PodStepContext steps,
    VolumeClaims claims,
    Operations operations,
    AgentQueries agents,
    PluginSpec plugin,
    GroupRef group) {

  void run() {
    inOrder(targeted()).forEach(pod -> rebuild(pod).run());
  }

  private PodRebuild rebuild(String pod) {
    var primary = new GroupPrimary(steps, agents, AgentQueries.endpoint(plugin), group);
    return new PodRebuild(steps, claims, operations, primary, group, pod);
  }

  /** Those of the group, whether they exist at the moment or not. */
  private List<String> targeted() {
    var known =
        steps
            .view()
            .statefulSet(key(), group.task().component(), group.group())
            .map(set -> Rollout.podNames(set, Rollout.replicas(set)))
            .orElseGet(List::of);
    return operations.find(group.change()).map(OperationTargets::pods).orElseGet(List::of).stream()
        .filter(known::contains)
        .toList();
  }

  /** Pods that are not ready come first: no agent can put them in order. */
  private List<String> inOrder(List<String> pods) {
    if (pods.size() < 2) {
      return pods;
    }
    var ready =
        steps.view().pods(key()).stream()
            .filter(pod -> pods.contains(pod.name()) && pod.isReady())
            .toList();
    var names = ready.stream().map(PodState::name).toList();
    var name = Labels.groupName(key().app(), group.task().component(), group.group());
    var order =
        AttendedCalls.await(
            () -> new AgentOrders(agents).ofPods(plugin, name, Scenario.UPDATE, ready).names(),
            () -> steps.waiter().heartbeat().send("group %s: asked for an order".formatted(name)));
    return Stream.concat(pods.stream().filter(pod -> !names.contains(pod)), order.stream())
        .toList();
  }

  private AppKey key() {
    return AppKey.of(group.change());
  }
}
