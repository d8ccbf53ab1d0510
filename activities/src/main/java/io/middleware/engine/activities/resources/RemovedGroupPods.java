package io.middleware.engine.activities.resources;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.activities.pods.TerminatingClaims;
import io.middleware.engine.api.App;
import io.middleware.engine.api.DeletionPolicy;
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
import io.middleware.engine.workflows.port.Preparation;
import io.temporal.failure.ApplicationFailure;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pods of a group that is removed. A removal must not get stuck: without a usable plugin only
 * agents are asked of which the Group knows, and without an agent's order pods are drained from the
 * last to the first. None switches over: no pod of its group stays.
 */
final class RemovedGroupPods {
  private static final Logger LOG = LoggerFactory.getLogger(RemovedGroupPods.class);

  private final ClusterView view;
  private final AgentQueries agents;
  private final AgentOrders orders;
  private final TerminatingClaims claims;
  private final ScaledDownPods taken;

  RemovedGroupPods(
      ClusterView view, AgentQueries agents, TerminatingClaims claims, ScaledDownPods taken) {
    this.view = view;
    this.agents = agents;
    this.orders = new AgentOrders(agents.impatient());
    this.claims = claims;
    this.taken = taken;
  }

  /**
   * Whether the volumes of a group outlive it. The policy is for the App's deletion; a part that an
   * edit removes needs an approval as well.
   */
  static boolean keepsVolumes(App app) {
    return Optional.ofNullable(app.getSpec())
        .filter(
            spec ->
                app.isMarkedForDeletion()
                    ? spec.deletionPolicy() == DeletionPolicy.DELETE
                    : spec.deletesVolumesOfRemovedParts())
        .isEmpty();
  }

  /**
   * What must be done to the pods before, in the order in which they would be stopped; empty when
   * the group can be removed at once. Pods are drained where other groups of the component stay.
   * Data that stay on the volumes are kept, unless the App is deleted by force.
   *
   * @param app with the spec that the change carries out
   * @param plugin of the group
   */
  Optional<DrainFirst> first(
      App app, GroupRef ref, boolean othersStay, Supplier<PluginSpec> plugin) {
    var keeps = keepsVolumes(app) && !app.isDeletedByForce();
    var pods = pods(ref);
    var by = new EnumMap<Preparation, List<LeavingPod>>(Preparation.class);
    var all = Stream.concat(pods.values().stream(), taken.ofDeployments(ref).stream()).toList();
    if (keeps && isHeld(app, ref, all)) {
      by.put(Preparation.KEEP_VOLUMES, PodPreparation.leaving(all));
    }
    var drains = othersStay && pods.values().stream().anyMatch(PodState::isReady);
    var persists = keeps && pods.values().stream().anyMatch(PodState::isRunning);
    var usable = drains || persists ? known(plugin) : Optional.<PluginSpec>empty();
    var endpoint = usable.map(AgentQueries::endpoint).orElse(AgentEndpoint.NONE);
    if (pods.values().stream().anyMatch(pod -> agents.hasAgent(endpoint, pod))) {
      var ordered = inOrder(ref, usable.filter(it -> drains), pods);
      if (drains) {
        by.put(Preparation.DRAIN, ordered);
      }
      if (persists) {
        by.put(Preparation.PERSIST, ordered);
      }
    }
    return by.isEmpty() ? Optional.empty() : Optional.of(new DrainFirst(by, endpoint, false));
  }

  private boolean isHeld(App app, GroupRef ref, List<PodState> pods) {
    return claims.keep(app, ref.change().generation(), pods).isPresent();
  }

  private static Optional<PluginSpec> known(Supplier<PluginSpec> plugin) {
    try {
      return Optional.of(plugin.get());
    } catch (ApplicationFailure e) {
      if (e.isNonRetryable()) {
        LOG.info(
            "the group's plugin cannot be used: only agents are asked that its Group knows", e);
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * @param plugin whose agents give the order of the ready ones; the others come last
   */
  private List<LeavingPod> inOrder(
      GroupRef ref, Optional<PluginSpec> plugin, Map<String, PodState> pods) {
    var ready =
        pods.values().stream()
            .filter(PodState::isReady)
            .collect(toMap(PodState::name, Function.identity()));
    var first = plugin.map(it -> names(ref, it, ready)).orElseGet(List::of);
    return Stream.concat(
            first.stream(), lastFirst(pods.keySet()).filter(name -> !first.contains(name)))
        .map(name -> new LeavingPod(name, pods.get(name).uid()))
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
    return lastFirst(ready.keySet()).toList();
  }

  private static Stream<String> lastFirst(Set<String> names) {
    return names.stream().sorted(NaturalOrder.OF_NAMES.reversed());
  }

  private Map<String, PodState> pods(GroupRef ref) {
    var task = ref.task();
    var key = AppKey.of(task.change());
    var selector = Labels.selector(key.app(), task.component(), ref.group());
    return view.statefulSets(key, task.component()).stream()
        .filter(set -> ClusterView.carries(set, selector))
        .flatMap(set -> view.podsOf(key, set).stream())
        .filter(pod -> !pod.isTerminating())
        .collect(toMap(PodState::name, Function.identity()));
  }
}
