package io.middleware.engine.activities.resources;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentOrders;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pods of a group that is removed while other groups of its component stay. A removal must not
 * get stuck: without a usable plugin no pod is drained, and without an agent's order pods are
 * drained from the last to the first. None switches over: no pod of its group stays.
 */
final class RemovedGroupPods {
  private static final Logger LOG = LoggerFactory.getLogger(RemovedGroupPods.class);

  private final ClusterView view;
  private final AgentOrders orders;

  RemovedGroupPods(ClusterView view, AgentOrders orders) {
    this.view = view;
    this.orders = orders;
  }

  /**
   * The pods to drain, in the order in which they would be stopped; empty when there is none.
   *
   * @param plugin of the group
   */
  Optional<DrainFirst> toDrain(GroupRef ref, Supplier<PluginSpec> plugin) {
    var ready = ready(ref);
    return ready.isEmpty()
        ? Optional.empty()
        : known(plugin).flatMap(it -> toDrain(ref, it, ready));
  }

  private static Optional<PluginSpec> known(Supplier<PluginSpec> plugin) {
    try {
      return Optional.of(plugin.get());
    } catch (ApplicationFailure e) {
      if (e.isNonRetryable()) {
        LOG.info("no pod is drained: the group's plugin cannot be used", e);
        return Optional.empty();
      }
      throw e;
    }
  }

  private Optional<DrainFirst> toDrain(
      GroupRef ref, PluginSpec plugin, Map<String, PodState> ready) {
    return Optional.of(AgentQueries.endpoint(plugin))
        .filter(AgentEndpoint::exists)
        .map(agents -> new DrainFirst(inOrder(ref, plugin, ready), agents, false));
  }

  private List<LeavingPod> inOrder(GroupRef ref, PluginSpec plugin, Map<String, PodState> ready) {
    return names(ref, plugin, ready).stream()
        .map(name -> new LeavingPod(name, ready.get(name).uid()))
        .toList();
  }

  private List<String> names(GroupRef ref, PluginSpec plugin, Map<String, PodState> ready) {
    var task = ref.task();
    var name = Labels.groupName(task.change().app(), task.component(), ref.group());
    try {
      var order = orders.ofPods(plugin, name, Scenario.STOP, List.copyOf(ready.values()));
      if (order.degraded().isEmpty() && !order.concurrent()) {
        return order.names();
      }
    } catch (ApplicationFailure e) {
      LOG.info("the agents give no order: pods are drained from the last to the first", e);
    }
    return ready.keySet().stream().sorted(NaturalOrder.OF_NAMES.reversed()).toList();
  }

  private Map<String, PodState> ready(GroupRef ref) {
    var task = ref.task();
    var key = AppKey.of(task.change());
    var selector = Labels.selector(key.app(), task.component(), ref.group());
    return view.statefulSets(key, task.component()).stream()
        .filter(set -> ClusterView.carries(set, selector))
        .flatMap(set -> view.podsOf(key, set).stream())
        .filter(pod -> pod.isReady() && !pod.isTerminating())
        .collect(toMap(PodState::name, Function.identity()));
  }
}
