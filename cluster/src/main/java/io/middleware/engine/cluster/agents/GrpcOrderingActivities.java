package io.middleware.engine.cluster.agents;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.AppliedSet;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.AgentOrders.OrderWithRoles;
import io.middleware.engine.cluster.agents.AgentQueries.OrderQuery;
import io.middleware.engine.cluster.agents.OrderAttempt.Patience;
import io.middleware.engine.cluster.agents.OrderAttempt.PatientAttempt;
import io.middleware.engine.cluster.agents.OrderAttempt.QuickAttempt;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/** {@inheritDoc} */
public final class GrpcOrderingActivities implements OrderingActivities {
  /**
   * A removal must work even when the Plugin or the agents are already gone, and volumes grow
   * without healthy pods.
   */
  private static final Set<ChangeType> AGENTS_OPTIONAL =
      Set.of(ChangeType.REMOVE, ChangeType.STORAGE);

  private final OrderSources sources;
  private final ClusterView view;
  private final ClusterWaiter waiter;
  private final OrderAttempt atOnce;
  private final PodAgents own;
  private final Patience patience;

  /**
   * What is read from the API server.
   *
   * @param liveSets whether a StatefulSet is there
   */
  record OrderSources(
      ComponentPlugins plugins,
      LastPrimaries lastPrimaries,
      BiPredicate<AppKey, AppliedStatefulSet> liveSets) {}

  /**
   * @param brief how many orders may be asked for at once
   * @param waiting how many orders may be waited for
   */
  public record OrderLimits(int brief, int waiting) {}

  /**
   * @param engine client with the engine's own rights
   * @param view must already be started
   */
  public GrpcOrderingActivities(
      KubernetesClient engine,
      Plugins plugins,
      ClusterView view,
      ClusterWaiter waiter,
      AgentQueries agents,
      OrderLimits limits,
      ActionProgressWriter progress) {
    this(
        new OrderSources(
            ComponentPlugins.in(engine, plugins),
            LastPrimaries.in(engine),
            (app, set) -> AppliedSet.isThere(engine, app, set)),
        view,
        waiter,
        new Patience(agents, new PluginSlots(limits.waiting()), progress::open),
        new PluginSlots(limits.brief()));
  }

  GrpcOrderingActivities(
      OrderSources sources,
      ClusterView view,
      ClusterWaiter waiter,
      Patience patience,
      PluginSlots brief) {
    this.sources = sources;
    this.view = view;
    this.waiter = waiter;
    this.patience = patience;
    this.own = patience.agents().pods();
    this.atOnce = new QuickAttempt(patience.agents(), brief);
  }

  @Override
  public ExecutionOrder groupOrder(GroupOrderRequest request) {
    return groupOrder(request, atOnce);
  }

  @Override
  public ExecutionOrder awaitGroupOrder(GroupOrderRequest request) {
    var task = request.task();
    return groupOrder(request, patiently(task, "order of the groups of " + task.component()));
  }

  private OrderAttempt patiently(TaskRef task, String subject) {
    return new PatientAttempt(patience, waiter.heartbeat()::send, task.change(), subject);
  }

  private ExecutionOrder groupOrder(GroupOrderRequest request, OrderAttempt attempt) {
    var task = request.task();
    if (request.groups().size() < 2) {
      return new ExecutionOrder(request.groups(), false);
    }
    try {
      return groupOrder(task, request.groups(), attempt);
    } catch (ApplicationFailure e) {
      if (!AGENTS_OPTIONAL.contains(task.type()) || e.getNextRetryDelay() != null) {
        throw e;
      }
      return new ExecutionOrder(
          byName(request.groups()),
          false,
          Optional.of(
              "the groups of %s are changed in name order: %s"
                  .formatted(task.component(), e.getOriginalMessage())));
    }
  }

  private static List<String> byName(List<String> groups) {
    return groups.stream().sorted(NaturalOrder.OF_NAMES).toList();
  }

  private ExecutionOrder groupOrder(TaskRef task, List<String> groups, OrderAttempt attempt) {
    var deployed = sources.plugins().of(task);
    if (deployed.runsJobs(task)) {
      return new ExecutionOrder(byName(groups), false);
    }
    var plugin = deployed.spec();
    var query = new OrderQuery(task.component(), task.type().scenario(), groups);
    var key = AppKey.of(task.change());
    var pods = view.podsOf(key, task.component());
    var isFirstDeployment = pods.isEmpty() && query.scenario() == Scenario.PROVISION;
    if (!isFirstDeployment && view.isIdle(key, task.component())) {
      return new ExecutionOrder(query.names(), true); // without pods the order does not matter
    }
    var candidates = AgentCandidates.of(plugin, pods, own);
    return isFirstDeployment || candidates.isEmpty()
        ? OrderFallback.order(plugin, query, "")
        : attempt
            .ask(plugin, orders -> orders.ofGroups(plugin, candidates.get(), query))
            .orElse(ExecutionOrder.UNANSWERED);
  }

  @Override
  public PodOrder podOrder(PodOrderRequest request) {
    return podOrder(request, atOnce);
  }

  @Override
  public PodOrder awaitPodOrder(PodOrderRequest request) {
    var group = request.group();
    return podOrder(request, patiently(group.task(), "order of the pods of " + group.group()));
  }

  private PodOrder podOrder(PodOrderRequest request, OrderAttempt attempt) {
    if (request.statefulSet().keepsPods()) {
      return PodOrder.NOTHING;
    }
    var observed = observedSet(request, attempt.controllerTimeout());
    if (observed.isEmpty() && attempt.mayWaitLater()) {
      return PodOrder.UNANSWERED;
    }
    var set = observed.orElseThrow(() -> notObserved(request));
    var pods = view.podsOf(AppKey.of(request.group().task().change()), set);
    var kept = request.statefulSet().kept();
    var outdated =
        Rollout.outdated(set, pods).stream().filter(pod -> !kept.contains(pod.name())).toList();
    return outdated.isEmpty() || wouldWaitForBrokenPod(request.group().task(), outdated)
        ? PodOrder.NOTHING
        : order(request.group(), pods, outdated, attempt);
  }

  /** A larger volume does not repair a broken pod, and its repair may be a later task. */
  private static boolean wouldWaitForBrokenPod(TaskRef task, List<PodState> outdated) {
    return task.type() == ChangeType.STORAGE
        && outdated.stream().anyMatch(pod -> !pod.isReady() && !pod.isTerminating());
  }

  private PodOrder order(
      GroupRef group, List<PodState> pods, List<PodState> outdated, OrderAttempt attempt) {
    var task = group.task();
    var deployed = sources.plugins().of(task);
    var plugin = deployed.spec();
    var ready = outdated.stream().filter(PodState::isReady).toList();
    var query =
        new OrderQuery(
            Labels.groupName(task.change().app(), task.component(), group.group()),
            task.type().scenario(),
            ready.stream().map(PodState::name).toList());
    var candidates = AgentCandidates.of(plugin, pods, own);
    return attempt
        .ask(plugin, orders -> orders.ofPodsWithRoles(plugin, candidates, query, ready))
        .filter(answers -> !answers.order().unanswered())
        .map(answers -> sequence(group, outdated, answers))
        .map(
            sequence ->
                new PodOrder(
                    sequence.pods(),
                    sequence.degraded(),
                    candidates.map(AgentCandidates::endpoint).orElse(AgentEndpoint.NONE),
                    candidates.isPresent()
                        && AgentCandidates.switchOver(deployed.switchesOver(), outdated, own)))
        .orElse(PodOrder.UNANSWERED);
  }

  private record Sequence(List<OutdatedPod> pods, Optional<String> degraded) {}

  /**
   * Where no agent says that its pod is the primary, the last known one counts, if its own agent
   * reports no role: it goes last in an order that leaves that open, and switches over in any.
   */
  private Sequence sequence(GroupRef group, List<PodState> outdated, OrderWithRoles answers) {
    var broken = outdated.stream().filter(pod -> !pod.isReady()).toList();
    var ready =
        outdated.stream().filter(PodState::isReady).collect(toMap(PodState::name, identity()));
    var order = answers.order();
    var reported = answers.primary();
    var silent = reported.isEmpty() ? answers.silent(ready.values()) : List.<PodState>of();
    var remembered =
        silent.isEmpty() ? Optional.<String>empty() : sources.lastPrimaries().of(group, silent);
    var last =
        reported
            .map(name -> ", the primary %s last".formatted(name))
            .or(() -> remembered.map(name -> ", the last known primary %s last".formatted(name)))
            .orElse("");
    return new Sequence(
        PodSequence.of(broken, ready, order, answers.roles(), remembered),
        order.degraded().map(why -> why + last));
  }

  /**
   * The StatefulSet, once its controller has observed the write; empty when the time is over.
   *
   * @throws ApplicationFailure of kind CONFLICT when it is deleted
   */
  private Optional<StatefulSet> observedSet(PodOrderRequest request, Duration atMost) {
    var applied = request.statefulSet();
    var key = AppKey.of(request.group().task().change());
    var set = new AppliedSet(view, key, applied, () -> sources.liveSets().test(key, applied));
    return waiter
        .until(key, atMost, () -> notObserved(request, set))
        .map(missing -> Optional.<StatefulSet>empty())
        .orElseGet(set::observed);
  }

  private Optional<String> notObserved(PodOrderRequest request, AppliedSet set) {
    var observed = set.observed();
    if (observed.isEmpty()) {
      return Optional.of(set.missing());
    }
    return observed
            .filter(it -> Rollout.hasSeen(it, request.statefulSet().generation()))
            .filter(it -> hasAdoptedPods(request.group().task(), it))
            .isPresent()
        ? Optional.empty()
        : Optional.of(notObserved(request).getOriginalMessage());
  }

  private static ApplicationFailure notObserved(PodOrderRequest request) {
    var applied = request.statefulSet();
    return Faults.of(
        FaultKind.UNAVAILABLE,
        "StatefulSet %s: its controller has not observed generation %d"
            .formatted(applied.name(), applied.generation()));
  }

  /** A StatefulSet with larger volumes is a new object, which must adopt the pods first. */
  private boolean hasAdoptedPods(TaskRef task, StatefulSet set) {
    return task.type() != ChangeType.STORAGE
        || view.orphans(AppKey.of(task.change()), set).isEmpty();
  }
}
