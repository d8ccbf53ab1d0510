package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.agents.AgentActions;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.activities.kubernetes.PauseGate;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.activities.kubernetes.RunLockFence;
import io.middleware.engine.activities.kubernetes.RunLockWatch;
import io.middleware.engine.activities.kubernetes.Snapshots;
import io.middleware.engine.activities.status.ActionProgressWriter;
import io.middleware.engine.activities.status.EngineEvent;
import io.middleware.engine.activities.status.EventRecorder;
import io.middleware.engine.api.App;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PodActivities.OrderStale;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodActivities.Replaced;
import io.middleware.engine.workflows.port.PodActivities.Replacement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Replaces one pod.
 *
 * <ol>
 *   <li>Look at the pod itself, not at the view: if it is not of the uid that the order was made
 *       for, or is going already, or is up to date, nothing is done to it, ever.
 *   <li>Ask its agent for its role meanwhile, and look whether it is the pod's {@link
 *       ReplacementDecision}: wait until it is, or end when the order holds no more.
 *   <li>Where it is the primary and is to switch over ({@link PrimarySwitchover}), let it, and
 *       begin again at 1; its new role does not make the order stale.
 *   <li>When a disruption budget refuses ({@link BudgetedEviction}), begin again at 1.
 *   <li>Wait until a pod of that name is up to date and ready.
 * </ol>
 *
 * <p>So whatever crashes in between, a repeat finds the pod gone and only waits.
 */
final class PodReplacement {
  /** After so long the step may have been cancelled; to ask sooner costs each pod a call. */
  private static final Duration LONG_LOOK = Duration.ofMillis(250);

  private final Cluster cluster;
  private final ReplaceRequest request;
  private final RunLockWatch claim;
  private final PrimarySwitchover switchover;
  private final BudgetedEviction removal;

  /**
   * @param engine client with the engine's own rights
   * @param agents asked for roles
   * @param actions asked of a primary
   * @param board where people see what takes long
   */
  record Cluster(
      KubernetesClient engine,
      ImpersonatedClients writers,
      RunLockFence fence,
      Snapshots snapshots,
      ClusterView view,
      ClusterWaiter waiting,
      AgentQueries agents,
      AgentActions actions,
      EventRecorder events,
      ActionProgressWriter board) {
    PauseGate gate() {
      return new PauseGate(fence, view, waiting);
    }

    /** An event, in the background, as it must not cost the next pod any time. */
    void tell(App app, String reason, String action, PodState pod, String note) {
      var key = reason + "/" + pod.uid();
      var event = new EngineEvent(key, EngineEvent.Kind.NORMAL, reason, action, note);
      Thread.startVirtualThread(() -> events.record(app, event));
    }
  }

  /**
   * @param step names the step for agents, the same when it is repeated
   */
  PodReplacement(Cluster cluster, ReplaceRequest request, String step) {
    this.cluster = cluster;
    this.request = request;
    this.claim = new RunLockWatch(cluster.fence(), cluster.view(), change());
    this.switchover = new PrimarySwitchover(cluster, request, step);
    this.removal = new BudgetedEviction(cluster, change());
  }

  Replacement run() {
    var gate = cluster.gate();
    ReplacementDecision turn;
    do {
      turn = take(cluster.snapshots().of(change(), gate.pass(change())));
    } while (turn instanceof ReplacementDecision.WaitFor);
    removal.done();
    if (turn instanceof ReplacementDecision.OrderStale(var why)) {
      return new OrderStale(why);
    }
    await(() -> lacks().or(this::successorLacks));
    return new Replaced();
  }

  /** One try: the pod is taken when its turn has come, and nothing is done to it else. */
  private ReplacementDecision take(App app) {
    await(this::lacks);
    var began = System.nanoTime();
    var sight = look();
    if (sight.pod().isEmpty()) {
      return new ReplacementDecision.ReplaceNow();
    }
    var pod = sight.pod().get();
    if (System.nanoTime() - began > LONG_LOOK.toNanos()) {
      cluster.waiting().tell("pod %s: to be replaced".formatted(pod.name())); // may be cancelled
    }
    return switch (turn(pod, sight.role())) {
      case ReplacementDecision.ReplaceNow() ->
          isPrimary(pod, sight.role()) ? switchover(app, pod) : remove(app, pod);
      case ReplacementDecision.WaitFor notYet -> {
        await(
            () ->
                turn(pod, sight.role()) instanceof ReplacementDecision.WaitFor(var why)
                    ? Optional.of(why)
                    : Optional.empty());
        yield notYet;
      }
      case ReplacementDecision.OrderStale stale -> stale;
    };
  }

  private ReplacementDecision turn(PodState pod, String now) {
    var role = switchover.isDone() ? request.pod().role().orElse("") : now;
    return set()
        .map(
            set ->
                ReplacementDecision.of(
                    request,
                    pod,
                    role,
                    new ReplacementDecision.Scene(set, cluster.view().podsOf(key(), set))))
        .orElseGet(
            () -> new ReplacementDecision.WaitFor("StatefulSet %s: is gone".formatted(workload())));
  }

  private boolean isPrimary(PodState pod, String role) {
    return set().filter(set -> switchover.isDue(set, pod, role)).isPresent();
  }

  /** The pod is looked at again afterwards: much may have happened meanwhile. */
  private ReplacementDecision switchover(App app, PodState pod) {
    var following = AgentActionProgress.of(cluster, change());
    var primary = switchover.ask(pod, following);
    following.done();
    var note =
        "pod %s has switched over%s, to be replaced"
            .formatted(pod.name(), primary.isEmpty() ? "" : " to " + primary);
    cluster.tell(app, "PrimarySwitchedOver", "Switchover", pod, note);
    return new ReplacementDecision.WaitFor(note);
  }

  private ReplacementDecision remove(App app, PodState pod) {
    var refused = removal.attempt(app, pod);
    if (refused.isEmpty()) {
      tellReplaced(app, pod);
    }
    return refused
        .<ReplacementDecision>map(ReplacementDecision.WaitFor::new)
        .orElseGet(ReplacementDecision.ReplaceNow::new);
  }

  /**
   * @param pod as {@link #standing} says
   * @param role as {@link #role} says
   */
  private record Sight(Optional<PodState> pod, String role) {}

  /** Pod and role at once, as both lie between one pod and the next. */
  private Sight look() {
    Future<String> role;
    Optional<PodState> pod;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      role = threads.submit(this::role);
      pod = standing();
    }
    return new Sight(pod, Faults.result(role));
  }

  /** The pod's role as its agent says; empty when there is nobody to ask, or it does not answer. */
  private String role() {
    return cluster.view().pods(key()).stream()
        .filter(pod -> pod.uid().equals(request.pod().uid()))
        .filter(pod -> pod.isReady() && request.agents().exists())
        .findFirst()
        .map(this::roleOf)
        .orElse("");
  }

  /** Whether it is to switch over depends on the answer. */
  private String roleOf(PodState pod) {
    var agents = cluster.agents();
    return request.switchover()
        ? agents.role(request.agents(), pod)
        : agents.roleAtOnce(request.agents(), pod);
  }

  private void tellReplaced(App app, PodState pod) {
    var role = switchover.isDone() ? "switched over" : request.pod().role().orElse("");
    var note =
        "pod %s%s %s, to be made again at revision %s"
            .formatted(
                pod.name(),
                role.isEmpty() ? "" : " (" + role + ")",
                pod.isReady() ? "evicted" : "deleted: " + pod.trouble(),
                set().map(Rollout::revision).orElse(""));
    cluster.tell(app, "PodReplaced", "Replace", pod, note);
  }

  /** The pod that was to be replaced, as it stands now; empty when there is nothing to do to it. */
  private Optional<PodState> standing() {
    var name = request.pod().name();
    var pod =
        Faults.attempt(
            "read pod " + name,
            () ->
                cluster
                    .engine()
                    .resources(Pod.class)
                    .inNamespace(change().namespace())
                    .withName(name)
                    .get());
    return Optional.ofNullable(pod)
        .map(PodState::new)
        .filter(state -> state.uid().equals(request.pod().uid()))
        .filter(state -> !state.isTerminating())
        .filter(state -> set().filter(s -> !isCurrent(s, state)).isPresent());
  }

  private static boolean isCurrent(StatefulSet set, PodState pod) {
    return pod.revision().equals(Rollout.revision(set));
  }

  private Optional<String> lacks() {
    return set()
        .map(
            set ->
                Rollout.hasSeen(set, request.statefulSet().generation())
                    ? Optional.<String>empty()
                    : Optional.of("StatefulSet %s: not up to date yet".formatted(workload())))
        .orElseGet(() -> Optional.of("StatefulSet %s: does not exist".formatted(workload())));
  }

  private Optional<String> successorLacks() {
    var set = set().orElseThrow();
    return cluster.view().podsOf(key(), set).stream()
        .filter(pod -> pod.name().equals(request.pod().name()))
        .findFirst()
        .map(pod -> Rollout.missing(set, pod))
        .orElseGet(() -> Optional.of("pod %s: not made yet".formatted(request.pod().name())));
  }

  private void await(Supplier<Optional<String>> missing) {
    cluster
        .waiting()
        .until(
            key(),
            () -> {
              claim.look();
              return missing.get();
            });
  }

  private Optional<StatefulSet> set() {
    return cluster.view().statefulSet(key(), request.statefulSet());
  }

  private String workload() {
    return request.statefulSet().name();
  }

  private ChangeRef change() {
    return request.group().task().change();
  }

  private AppKey key() {
    return AppKey.of(change());
  }
}
