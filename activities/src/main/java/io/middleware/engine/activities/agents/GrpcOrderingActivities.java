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
  /** Normally a controller observes what was applied within milliseconds. */
  private static final Duration CONTROLLER_TIMEOUT = Duration.ofSeconds(10);

  /**
   * A removal must work even when the Plugin or the agents are already gone, and volumes grow
   * without healthy pods.
   */
  private static final Set<ChangeType> AGENTS_OPTIONAL =
      Set.of(ChangeType.REMOVE, ChangeType.STORAGE);

  private final ComponentPlugins plugins;
  private final ClusterView view;
  private final ClusterWaiter waiter;
  private final AgentQueries agents;

  /**
   * @param engine client with the engine's own rights
   * @param view must already be started
   */
  public GrpcOrderingActivities(
      KubernetesClient engine,
      Plugins plugins,
      ClusterView view,
      ClusterWaiter waiter,
      AgentQueries agents) {
    this(ComponentPlugins.in(engine, plugins), view, waiter, agents);
  }

  GrpcOrderingActivities(
      ComponentPlugins plugins, ClusterView view, ClusterWaiter waiter, AgentQueries agents) {
    this.plugins = plugins;
    this.view = view;
    this.waiter = waiter;
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
      if (!AGENTS_OPTIONAL.contains(task.type())) {
        throw e;
      }
      return new ExecutionOrder(
          request.groups().stream().sorted(NaturalOrder.OF_NAMES).toList(),
          false,
          Optional.of(
              "the groups of %s are changed in name order: %s"
                  .formatted(task.component(), e.getOriginalMessage())));
    }
  }

  private ExecutionOrder groupOrder(TaskRef task, List<String> groups) {
    var plugin = plugins.of(task);
    var query = new OrderQuery(task.component(), task.type().scenario(), groups);
    var key = AppKey.of(task.change());
    var pods = view.podsOf(key, task.component());
    var isFirstDeployment = pods.isEmpty() && query.scenario() == Scenario.PROVISION;
    if (!isFirstDeployment && view.isIdle(key, task.component())) {
      return new ExecutionOrder(query.names(), true); // without pods the order does not matter
    }
    var candidates = candidates(plugin, pods);
    return isFirstDeployment || candidates.isEmpty()
        ? OrderFallback.order(plugin, query, "")
        : decide(plugin, query, agents.groupOrder(candidates.get(), query));
  }

  @Override
  public PodOrder podOrder(PodOrderRequest request) {
    if (request.statefulSet().keepsPods()) {
      return PodOrder.NOTHING;
    }
    var set = observedSet(request);
    var pods = view.podsOf(AppKey.of(request.group().task().change()), set);
    var outdated = Rollout.outdated(set, pods);
    return outdated.isEmpty() || wouldWaitForBrokenPod(request.group().task(), outdated)
        ? PodOrder.NOTHING
        : order(request.group(), pods, outdated);
  }

  /** A larger volume does not repair a broken pod, and its repair may be a later task. */
  private static boolean wouldWaitForBrokenPod(TaskRef task, List<PodState> outdated) {
    return task.type() == ChangeType.STORAGE
        && outdated.stream().anyMatch(pod -> !pod.isReady() && !pod.isTerminating());
  }

  private PodOrder order(GroupRef group, List<PodState> pods, List<PodState> outdated) {
    var task = group.task();
    var plugin = plugins.of(task);
    var broken = outdated.stream().filter(pod -> !pod.isReady()).toList();
    var ready =
        outdated.stream().filter(PodState::isReady).collect(toMap(PodState::name, identity()));
    var query =
        new OrderQuery(
            Labels.groupName(task.change().app(), task.component(), group.group()),
            task.type().scenario(),
            List.copyOf(ready.keySet()));
    var candidates = candidates(plugin, pods);
    Map<String, Future<String>> roles = new HashMap<>();
    ExecutionOrder order;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      candidates.ifPresent(
          all ->
              ready.forEach(
                  (name, pod) ->
                      roles.put(name, threads.submit(() -> agents.role(all.endpoint(), pod)))));
      order = podOrder(agents, plugin, candidates, query);
    }
    Map<String, String> known = new HashMap<>();
    roles.forEach((name, role) -> known.put(name, Faults.result(role)));
    return new PodOrder(
        PodSequence.of(broken, ready, order, known),
        order.degraded(),
        candidates.map(CandidatePods::endpoint).orElse(AgentEndpoint.NONE),
        candidates.isPresent() && Boolean.TRUE.equals(plugin.switchover()));
  }

  /** The order of pods from their agents, or the Plugin's fallback. */
  static ExecutionOrder podOrder(
      AgentQueries agents,
      PluginSpec plugin,
      Optional<CandidatePods> candidates,
      OrderQuery query) {
    if (query.names().size() < 2) {
      return new ExecutionOrder(query.names(), false);
    }
    return candidates.isEmpty()
        ? OrderFallback.order(plugin, query, "")
        : decide(plugin, query, agents.podOrder(candidates.get(), query));
  }

  private static ExecutionOrder decide(
      PluginSpec plugin, OrderQuery query, AgentAnswer<ExecutionOrder> answer) {
    return switch (answer) {
      case AgentAnswer.AnswerGiven<ExecutionOrder>(var order, var by) -> order;
      case AgentAnswer.AnswerMissing<ExecutionOrder>(var why) ->
          OrderFallback.order(plugin, query, why);
      case AgentAnswer.AnswerRefused<ExecutionOrder>(var why) ->
          throw Faults.of(FaultKind.INVALID, why);
    };
  }

  /** The StatefulSet, once its controller has observed the write. */
  private StatefulSet observedSet(PodOrderRequest request) {
    var applied = request.statefulSet();
    var key = AppKey.of(request.group().task().change());
    var missing =
        waiter.until(
            key,
            CONTROLLER_TIMEOUT,
            () ->
                view.statefulSet(key, applied)
                        .filter(set -> Rollout.hasSeen(set, applied.generation()))
                        .filter(set -> hasAdoptedPods(request.group().task(), set))
                        .isPresent()
                    ? Optional.empty()
                    : Optional.of(
                        "StatefulSet %s: its controller has not observed generation %d"
                            .formatted(applied.name(), applied.generation())));
    missing.ifPresent(
        message -> {
          throw Faults.of(FaultKind.UNAVAILABLE, message);
        });
    return view.statefulSet(key, applied).orElseThrow();
  }

  /** A StatefulSet with larger volumes is a new object, which must adopt the pods first. */
  private boolean hasAdoptedPods(TaskRef task, StatefulSet set) {
    return task.type() != ChangeType.STORAGE
        || view.orphans(AppKey.of(task.change()), set).isEmpty();
  }

  /**
   * The ready pods in the order in which to ask them: the first pod of each group, then the second
   * of each, because the trouble of one pod often affects its whole group. Empty when the Plugin
   * has no agents.
   */
  static Optional<CandidatePods> candidates(PluginSpec plugin, List<PodState> pods) {
    var endpoint = AgentQueries.endpoint(plugin);
    if (!endpoint.exists()) {
      return Optional.empty();
    }
    var ready =
        pods.stream()
            .filter(PodState::isReady)
            .sorted(comparing(PodState::name, NaturalOrder.OF_NAMES))
            .toList();
    return Optional.of(new CandidatePods(endpoint, alternatingGroups(ready)));
  }

  private static List<PodState> alternatingGroups(List<PodState> pods) {
    Map<String, Integer> sizes = new HashMap<>();
    Map<String, Integer> ranks = new HashMap<>();
    pods.forEach(
        pod -> ranks.put(pod.name(), sizes.merge(pod.label(Labels.GROUP), 1, Integer::sum)));
    return pods.stream().sorted(comparing(pod -> ranks.get(pod.name()))).toList();
  }
}
