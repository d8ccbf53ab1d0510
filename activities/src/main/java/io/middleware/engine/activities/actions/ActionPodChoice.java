package io.middleware.engine.activities.actions;

import static java.util.stream.Collectors.toSet;

import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.operation.TargetRole;
import io.middleware.engine.api.plugin.ActionPods;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ExistingPods;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.AgentOrders;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Chooses the pods of a group on which an action runs, one at a time. */
final class ActionPodChoice {
  private final PodStepContext context;
  private final AgentQueries queries;
  private final PluginSpec plugin;
  private final ActionPodLimits limits;
  private final GroupRef group;
  private final ExistingPods observed;
  private final boolean readyOnly;
  private Optional<String> degraded = Optional.empty();
  private List<PodState> ordered = List.of();
  private List<PodState> fitting = List.of();
  private Optional<List<String>> chosen = Optional.empty();

  ActionPodChoice(
      PodStepContext context,
      AgentQueries queries,
      PluginSpec plugin,
      ActionPodLimits limits,
      GroupRef group) {
    this(context, queries, plugin, limits, group, false);
  }

  /** With {@code readyOnly}, pods that are not ready are left out, instead of waited for. */
  ActionPodChoice(
      PodStepContext context,
      AgentQueries queries,
      PluginSpec plugin,
      ActionPodLimits limits,
      GroupRef group,
      boolean readyOnly) {
    this.context = context;
    this.queries = queries;
    this.plugin = plugin;
    this.limits = limits;
    this.group = group;
    this.observed = ExistingPods.of(context.view(), group);
    this.readyOnly = readyOnly;
  }

  /** Why an order was not the agents' own; empty when all were. */
  Optional<String> degraded() {
    return degraded;
  }

  ExistingPods observed() {
    return observed;
  }

  /**
   * The next pod; waits until there is one. Empty when the action is done on all pods that it is to
   * run on.
   *
   * @param runs so far, by pod name
   */
  Optional<PodState> next(Map<String, ActionRun> runs) {
    await(this::setMissing);
    var running = observed.all().stream().filter(pod -> isRunning(runs, pod)).findFirst();
    if (running.isPresent()) {
      return running;
    }
    if (limits.areNarrow() && chosen.isEmpty()) {
      chosen = Optional.of(choose(done(runs)));
    }
    if (isDone(runs)) {
      return Optional.empty();
    }
    if (limits.pods() == ActionPods.EACH) {
      return Optional.of(nextOfOrder(done(runs)));
    }
    return firstThatFits();
  }

  private static boolean isRunning(Map<String, ActionRun> runs, PodState pod) {
    var run = runs.get(pod.name());
    return run != null && run.isRunning() && pod.uid().equals(run.uid()) && pod.ip().isPresent();
  }

  private boolean isDone(Map<String, ActionRun> runs) {
    var left = readyOnly ? observed.ready().stream().map(PodState::name).toList() : expected();
    return limits.pods() == ActionPods.EACH
        ? done(runs).containsAll(left)
        : left.isEmpty() || runs.values().stream().anyMatch(ActionRun::isDone);
  }

  /**
   * Why the action was not run on a pod, by name; of a group where one pod is enough, only if it
   * was run on none.
   *
   * @param runs that were made
   */
  List<String> leftOut(Map<String, ActionRun> runs) {
    var done = done(runs);
    if (limits.pods() != ActionPods.EACH) {
      return done.isEmpty() ? List.of(whyNone()) : List.of();
    }
    return expected().stream().filter(name -> !done.contains(name)).map(observed::trouble).toList();
  }

  private static Set<String> done(Map<String, ActionRun> runs) {
    return runs.values().stream().filter(ActionRun::isDone).map(ActionRun::pod).collect(toSet());
  }

  /** The pods that the Operation wants of the group, by the roles that they have now. */
  private List<String> choose(Set<String> done) {
    var most = limits.count().orElse(Integer.MAX_VALUE);
    if (done.size() >= most) {
      return List.copyOf(done);
    }
    await(() -> tooFewOfRole(done, most));
    var names = inOrder(fitting).stream().map(PodState::name).limit(most - done.size());
    return Stream.concat(done.stream(), names).toList();
  }

  /** Keeps the pods that have the role. Without a count all pods must say theirs. */
  private Optional<String> tooFewOfRole(Set<String> done, int most) {
    var left = expected().stream().filter(name -> !done.contains(name)).toList();
    var ready = observed.ready().stream().filter(pod -> left.contains(pod.name())).toList();
    var unknown = new ArrayList<>(left);
    fitting = ready.stream().filter(pod -> fits(pod, unknown)).toList();
    if (fitting.size() + done.size() >= Math.min(most, expected().size())) {
      return Optional.empty();
    }
    return Rollout.firstFew(unknown.stream().map(observed::trouble).toList())
        .or(() -> noneOfRole(done));
  }

  /**
   * @param unknown names of pods; this one is removed when its role is known
   */
  private boolean fits(PodState pod, List<String> unknown) {
    var role = limits.role().isPresent() ? role(pod) : "any";
    if (!role.isEmpty()) {
      unknown.remove(pod.name());
    }
    return limits.role().map(wanted -> wanted.isOf(role)).orElse(true);
  }

  private Optional<String> noneOfRole(Set<String> done) {
    return fitting.isEmpty() && done.isEmpty()
        ? Optional.of(subject() + ": no ready pod has the role that the Operation targets")
        : Optional.empty();
  }

  /** Keeps to an order as long as its pods are ready. */
  private PodState nextOfOrder(Set<String> done) {
    while (true) {
      var next = ordered.stream().filter(pod -> !done.contains(pod.name())).findFirst();
      if (next.filter(this::isStillReady).isPresent()) {
        return next.get();
      }
      await(() -> noneReady(done));
      ordered = inOrder(observed.ready().stream().filter(pod -> isLeft(pod, done)).toList());
    }
  }

  private boolean isLeft(PodState pod, Set<String> done) {
    return expected().contains(pod.name()) && !done.contains(pod.name());
  }

  private boolean isStillReady(PodState pod) {
    return observed.ready().stream().anyMatch(it -> it.uid().equals(pod.uid()));
  }

  /** Empty where nobody waits for pods, and none of those that are ready has the role. */
  private Optional<PodState> firstThatFits() {
    while (true) {
      await(this::noneFits);
      var inOrder = inOrder(fitting);
      if (!inOrder.isEmpty() || fitting.isEmpty()) {
        return inOrder.stream().findFirst();
      }
    }
  }

  /** Keeps the pods that fit. */
  private Optional<String> noneFits() {
    var roles = new LinkedHashMap<PodState, String>();
    observed.ready().forEach(pod -> roles.put(pod, hasRole() ? role(pod) : "any"));
    fitting = roles.keySet().stream().filter(pod -> fits(roles.get(pod))).toList();
    var isDecided = readyOnly && !roles.containsValue("");
    return fitting.isEmpty() && !isDecided
        ? Optional.of(subject() + ": " + whyNone())
        : Optional.empty();
  }

  private boolean hasRole() {
    return limits.pods() == ActionPods.PRIMARY || limits.pods() == ActionPods.ANY_REPLICA;
  }

  private boolean fits(String role) {
    return switch (limits.pods()) {
      case EACH, ONE -> true;
      case PRIMARY -> TargetRole.PRIMARY.isOf(role);
      case ANY_REPLICA -> TargetRole.REPLICA.isOf(role);
    };
  }

  private String whyNone() {
    return switch (limits.pods()) {
      case EACH, ONE -> "no pod is ready";
      case PRIMARY -> "no ready pod is the primary";
      case ANY_REPLICA -> "no ready pod is a replica";
    };
  }

  private String subject() {
    return "group %s of component %s".formatted(group.group(), group.task().component());
  }

  private String role(PodState pod) {
    return attended(
        () -> queries.role(AgentQueries.endpoint(plugin), pod),
        "pod %s: asked for its role".formatted(pod.name()));
  }

  private List<PodState> inOrder(List<PodState> ready) {
    if (ready.size() < 2) {
      return ready;
    }
    var name = Labels.groupName(group.change().app(), group.task().component(), group.group());
    var order =
        attended(
            () -> new AgentOrders(queries).ofPods(plugin, name, Scenario.UPDATE, ready),
            "waiting for the agents' order of the pods of " + group.group());
    degraded = degraded.or(order::degraded);
    return order.names().stream()
        .flatMap(it -> ready.stream().filter(pod -> pod.name().equals(it)))
        .toList();
  }

  private <T> T attended(Callable<T> question, String message) {
    return AttendedCalls.await(question, () -> context.waiter().heartbeat().send(message));
  }

  private void await(Supplier<Optional<String>> missing) {
    var runLock = context.gate().watch(group.change());
    var held = context.reporter().progressOf(group.change());
    context
        .waiter()
        .until(
            AppKey.of(group.change()),
            () -> {
              var message = missing.get();
              if (message.isPresent()) {
                runLock.check();
                held.report(message.get());
              }
              return message;
            });
    held.done();
  }

  private Optional<String> noneReady(Set<String> done) {
    var left = expected().stream().filter(name -> !done.contains(name)).toList();
    return observed.ready().stream().anyMatch(pod -> left.contains(pod.name()))
        ? Optional.empty()
        : Rollout.firstFew(left.stream().map(observed::trouble).toList());
  }

  private Optional<String> setMissing() {
    return observed.set().isPresent()
        ? Optional.empty()
        : Optional.of(subject() + ": it has no StatefulSet, on whose pods an action runs");
  }

  private List<String> expected() {
    return chosen.orElseGet(observed::names);
  }
}
