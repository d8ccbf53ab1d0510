package io.middleware.engine.activities.agents;

import static java.util.Comparator.comparing;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.agents.AgentQueries.CandidatePods;
import io.middleware.engine.activities.agents.AgentQueries.OrderQuery;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.NaturalOrder;
import io.middleware.engine.activities.kubernetes.Plugins;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** {@inheritDoc} */
public final class GrpcOrderingActivities implements OrderingActivities {
  /** A controller needs milliseconds to see what was applied. */
  private static final Duration CONTROLLER = Duration.ofSeconds(10);

  /**
   * What goes must be able to go, also when its plugin or its agents are gone before it; and
   * volumes grow without a healthy pod.
   */
  private static final Set<ChangeType> WITHOUT_AGENTS =
      Set.of(ChangeType.REMOVE, ChangeType.STORAGE);

  private final ComponentPlugins plugins;
  private final ClusterView view;
  private final ClusterWaiter waiting;
  private final AgentQueries agents;

  /**
   * @param engine client with the engine's own rights
   * @param view started
   */
  public GrpcOrderingActivities(
      KubernetesClient engine,
      Plugins plugins,
      ClusterView view,
      ClusterWaiter waiting,
      AgentQueries agents) {
    this(ComponentPlugins.in(engine, plugins), view, waiting, agents);
  }

  GrpcOrderingActivities(
      ComponentPlugins plugins, ClusterView view, ClusterWaiter waiting, AgentQueries agents) {
    this.plugins = plugins;
    this.view = view;
    this.waiting = waiting;
    this.agents = agents;
  }

  @Override
  public ExecutionOrder groupOrder(GroupOrderRequest request) {
    var task = request.task();
    if (request.groups().size() < 2) {
      return new ExecutionOrder(request.groups(), false);
    }
    try {
      return groupOrder(task, request.groups());
    } catch (ApplicationFailure e) {
      if (!WITHOUT_AGENTS.contains(task.type())) {
        throw e;
      }
      return new ExecutionOrder(
          request.groups().stream().sorted(NaturalOrder.OF_NAMES).toList(),
          false,
          Optional.of(
              "groups of %s go in name order: %s"
                  .formatted(task.component(), e.getOriginalMessage())));
    }
  }

  private ExecutionOrder groupOrder(TaskRef task, List<String> groups) {
    var plugin = plugins.of(task);
    var matter = new OrderQuery(task.component(), task.type().scenario(), groups);
    var key = AppKey.of(task.change());
    var pods = view.podsOf(key, task.component());
    var isBeginning = pods.isEmpty() && matter.scenario() == Scenario.PROVISION;
    if (!isBeginning && view.isIdle(key, task.component())) {
      return new ExecutionOrder(matter.names(), true); // without pods no order matters
    }
    var audience = audience(plugin, pods);
    return isBeginning || audience.isEmpty()
        ? OrderFallback.order(plugin, matter, "")
        : decide(plugin, matter, agents.groupOrder(audience.get(), matter));
  }

  @Override
  public PodOrder podOrder(PodOrderRequest request) {
    if (request.statefulSet().keepsPods()) {
      return PodOrder.NOTHING;
    }
    var set = seen(request);
    var pods = view.podsOf(AppKey.of(request.group().task().change()), set);
    var outdated = Rollout.outdated(set, pods);
    return outdated.isEmpty() || waitsInVain(request.group().task(), outdated)
        ? PodOrder.NOTHING
        : order(request.group(), pods, outdated);
  }

  /** Larger volumes do not repair a pod, and what repairs it may come after them. */
  private static boolean waitsInVain(TaskRef task, List<PodState> outdated) {
    return task.type() == ChangeType.STORAGE
        && outdated.stream().anyMatch(pod -> !pod.isReady() && !pod.isTerminating());
  }

  private PodOrder order(GroupRef group, List<PodState> pods, List<PodState> outdated) {
    var task = group.task();
    var plugin = plugins.of(task);
    var broken = outdated.stream().filter(pod -> !pod.isReady()).toList();
    var ready =
        outdated.stream().filter(PodState::isReady).collect(toMap(PodState::name, identity()));
    var matter =
        new OrderQuery(
            Labels.groupName(task.change().app(), task.component(), group.group()),
            task.type().scenario(),
            List.copyOf(ready.keySet()));
    var audience = audience(plugin, pods);
    Map<String, Future<String>> roles = new HashMap<>();
    ExecutionOrder order;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      audience.ifPresent(
          all ->
              ready.forEach(
                  (name, pod) ->
                      roles.put(name, threads.submit(() -> agents.role(all.at(), pod)))));
      order = podOrder(agents, plugin, audience, matter);
    }
    Map<String, String> known = new HashMap<>();
    roles.forEach((name, role) -> known.put(name, Faults.result(role)));
    return new PodOrder(
        PodSequence.of(broken, ready, order, known),
        order.degraded(),
        audience.map(CandidatePods::at).orElse(AgentEndpoint.NONE),
        audience.isPresent() && Boolean.TRUE.equals(plugin.switchover()));
  }

  /** The agents' order of pods, or the plugin's where they have none. */
  static ExecutionOrder podOrder(
      AgentQueries agents, PluginSpec plugin, Optional<CandidatePods> audience, OrderQuery matter) {
    if (matter.names().size() < 2) {
      return new ExecutionOrder(matter.names(), false);
    }
    return audience.isEmpty()
        ? OrderFallback.order(plugin, matter, "")
        : decide(plugin, matter, agents.podOrder(audience.get(), matter));
  }

  private static ExecutionOrder decide(
      PluginSpec plugin, OrderQuery matter, OrderAnswer<ExecutionOrder> answer) {
    return switch (answer) {
      case OrderAnswer.Given<ExecutionOrder>(var order, var by) -> order;
      case OrderAnswer.Missing<ExecutionOrder>(var why) -> OrderFallback.order(plugin, matter, why);
      case OrderAnswer.Refused<ExecutionOrder>(var why) -> throw Faults.of(FaultKind.INVALID, why);
    };
  }

  /** The StatefulSet as its controller sees it after the write. */
  private StatefulSet seen(PodOrderRequest request) {
    var workload = request.statefulSet();
    var key = AppKey.of(request.group().task().change());
    var missing =
        waiting.until(
            key,
            CONTROLLER,
            () ->
                view.statefulSet(key, workload)
                        .filter(set -> Rollout.hasSeen(set, workload.generation()))
                        .filter(set -> hasItsPods(request.group().task(), set))
                        .isPresent()
                    ? Optional.empty()
                    : Optional.of(
                        "StatefulSet %s: its controller has not seen generation %d"
                            .formatted(workload.name(), workload.generation())));
    missing.ifPresent(
        words -> {
          throw Faults.of(FaultKind.UNAVAILABLE, words);
        });
    return view.statefulSet(key, workload).orElseThrow();
  }

  /** A StatefulSet whose claims have grown is a new one, which has to take the pods over first. */
  private boolean hasItsPods(TaskRef task, StatefulSet set) {
    return task.type() != ChangeType.STORAGE
        || view.orphans(AppKey.of(task.change()), set).isEmpty();
  }

  /**
   * The ready ones of these pods, the first of each group first: what ails one pod may well ail its
   * group. Empty when the plugin has no agents.
   */
  static Optional<CandidatePods> audience(PluginSpec plugin, List<PodState> pods) {
    var at = AgentQueries.endpoint(plugin);
    if (!at.exists()) {
      return Optional.empty();
    }
    var ready =
        pods.stream()
            .filter(PodState::isReady)
            .sorted(comparing(PodState::name, NaturalOrder.OF_NAMES))
            .toList();
    return Optional.of(new CandidatePods(at, fromGroupToGroup(ready)));
  }

  private static List<PodState> fromGroupToGroup(List<PodState> pods) {
    Map<String, Integer> sizes = new HashMap<>();
    Map<String, Integer> turns = new HashMap<>();
    pods.forEach(
        pod -> turns.put(pod.name(), sizes.merge(pod.label(Labels.GROUP), 1, Integer::sum)));
    return pods.stream().sorted(comparing(pod -> turns.get(pod.name()))).toList();
  }
}
