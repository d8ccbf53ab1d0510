package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.maintenance.LastCopy;
import io.middleware.engine.activities.maintenance.PrimarySwitchover;
import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.BudgetedEviction;
import io.middleware.engine.activities.pods.HoldingChecks;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.rollout.ReplacementDecision.LeaveAlone;
import io.middleware.engine.activities.rollout.ReplacementDecision.ObservedSet;
import io.middleware.engine.activities.rollout.ReplacementDecision.ReplaceNow;
import io.middleware.engine.activities.rollout.ReplacementDecision.WaitFor;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.AppliedSet;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.runlock.RunLockWatch;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PodActivities.LeftAlone;
import io.middleware.engine.workflows.port.PodActivities.Paused;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.temporal.client.ActivityCompletionException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Replaces one pod. A step that is repeated after a crash finds the pod gone and only waits.
 *
 * <ol>
 *   <li>End at once while the App is paused.
 *   <li>Wait for the pod before it, if there is one. A cancel or a pause that is accepted meanwhile
 *       shows in the App's status.
 *   <li>Look at the checks that are repeated beside the task, if there are any. While one fails,
 *       wait and begin again at 1. A broken pod does not wait for them, nor does one of a batch
 *       whose other pods are not ready: they may be the cause.
 *   <li>Ask the pod's agent for its role, and look at the pod. If its uid is not the one in the
 *       order, or the pod is being deleted, or it is up to date, leave it alone for good. The order
 *       is stale when the group's StatefulSet does not control the pod.
 *   <li>Decide ({@link ReplacementDecision}): go on, wait, or end because the order is stale.
 *   <li>If the pod is the primary and must switch over first ({@link PrimarySwitchover}), have it
 *       switch over, unless a check keeps it, and begin again at 1. Its new role does not make the
 *       order stale.
 *   <li>If the last copy of the group goes with the pod, have it make its data durable ({@link
 *       LastCopy}); if it cannot, begin again at 1.
 *   <li>Evict the pod. If a disruption budget or a check before the pod refuses, or its volume
 *       would go with it ({@link BudgetedEviction}), begin again at 1.
 *   <li>Wait until a pod of that name is up to date and ready.
 * </ol>
 */
final class PodReplacement {
  /** A longer observation is followed by a heartbeat, which costs each pod a call. */
  private static final Duration LONG_OBSERVATION = Duration.ofMillis(250);

  private final PodStepContext context;
  private final WatchedPod watched;
  private final OrderedPod ordered;
  private final ReplaceRequest request;
  private final RunLockWatch runLock;
  private final PrimarySwitchover switchover;
  private final LastCopy lastCopy;
  private final BudgetedEviction eviction;
  private final AppliedSet applied;
  private final RefusedPods refused;
  private final StepHandover.Step handover;

  /**
   * @param role of the pod to replace
   * @param applied the StatefulSet of the request, and why its pods cannot be created
   * @param handover from the pod before, and to the pod after this one
   */
  PodReplacement(
      PodStepContext context,
      RoleNow role,
      HoldingChecks checks,
      BeforeEviction before,
      ReplaceRequest request,
      AppliedSet applied,
      CreationRefusals refusals,
      StepHandover.Step handover) {
    this.context = context;
    this.watched = new WatchedPod(context, checks, request);
    this.request = request;
    this.ordered = new OrderedPod(context, role, request, this::set);
    this.applied = applied;
    this.handover = handover;
    this.runLock = context.gate().watch(change());
    this.switchover = before.switchover();
    this.lastCopy = before.lastCopy();
    this.eviction = new BudgetedEviction(context, request.group());
    this.refused = new RefusedPods(context, refusals, request.group(), this::set);
  }

  /** Returns why the pod was left alone; empty when its successor is ready. */
  Optional<LeftAlone> run() {
    var decision = unlessPaused(this::begin);
    while (decision instanceof WaitFor) {
      decision = unlessPaused(this::attempt);
    }
    eviction.done();
    lastCopy.done();
    if (decision instanceof LeaveAlone(var why)) {
      return Optional.of(why);
    }
    await(() -> setMissing().or(() -> successorMissing(request.pod())));
    handover.replaced();
    return Optional.empty();
  }

  private ReplacementDecision unlessPaused(Function<App, ReplacementDecision> step) {
    return context
        .gate()
        .unpausedWithSpec(change())
        .map(step)
        .orElseGet(() -> new LeaveAlone(new Paused()));
  }

  /**
   * Waits for the pod before this one. The fence is passed already; from then on the view shows
   * that the run lock is kept, and whether the App is paused.
   */
  private ReplacementDecision begin(App app) {
    if (request.after().isPresent()) {
      handover.awaitsTurn();
      await(() -> setMissing().or(() -> successorMissing(request.after().get())));
      handover.hasTurn();
      if (context.view().app(key()).filter(App::isPaused).isPresent()) {
        return unlessPaused(this::attempt);
      }
    }
    return attempt(app);
  }

  /** One attempt: acts on the pod only if the decision is to replace it now. */
  private ReplacementDecision attempt(App app) {
    await(this::setMissing);
    if (!watched.mayGo(set())) {
      return new WaitFor("checks beside the task have failed meanwhile");
    }
    var began = System.nanoTime();
    var observed = ordered.observe();
    if (observed.pod().isEmpty()) {
      return new ReplaceNow();
    }
    var pod = observed.pod().get();
    if (set().filter(pod::isControlledBy).isEmpty()) {
      return ReplacementDecision.stale(
          "pod %s is not controlled by StatefulSet %s"
              .formatted(pod.name(), request.statefulSet().name()));
    }
    if (System.nanoTime() - began > LONG_OBSERVATION.toNanos()) {
      var heartbeat = context.waiter().heartbeat();
      heartbeat.send("pod %s: to be replaced".formatted(pod.name())); // or cancelled
    }
    return switch (decide(pod, observed.role())) {
      case ReplaceNow() ->
          set().filter(set -> switchover.isDue(set, pod, observed.role())).isPresent()
                  && context.evictor().keep(app, change().generation(), pod).isEmpty()
              ? eviction
                  .held(app, pod)
                  .<ReplacementDecision>map(WaitFor::new)
                  .orElseGet(() -> switchOver(app, pod))
              : evict(app, pod);
      case WaitFor notYet -> {
        await(
            () ->
                decide(pod, observed.role()) instanceof WaitFor(var why)
                    ? Optional.of(why)
                    : Optional.empty());
        yield notYet;
      }
      case LeaveAlone leave -> leave;
    };
  }

  private ReplacementDecision decide(PodState pod, String roleNow) {
    var role = switchover.isDone() ? request.pod().role().orElse("") : roleNow;
    return set()
        .map(set -> new ObservedSet(set, context.view().podsOf(key(), set)))
        .map(set -> ReplacementDecision.of(request, pod, role, set))
        .orElseGet(() -> new WaitFor(applied.missing()));
  }

  /** The pod is observed again afterwards, because a switchover takes long. */
  private ReplacementDecision switchOver(App app, PodState pod) {
    var progress = AgentActionProgress.of(context, change());
    var switched = switchover.run(pod, progress);
    progress.done();
    if (switched.unreached().isPresent()) {
      context.reporter().notSwitchedOver(app, pod, switched.unreached().get());
      return new WaitFor(switched.unreached().get());
    }
    var primary = switched.primary();
    var note =
        "pod %s has switched over%s and is replaced next"
            .formatted(pod.name(), primary.isEmpty() ? "" : " to " + primary);
    context.reporter().event(app, "PrimarySwitchedOver", "Switchover", pod, note);
    return new WaitFor(note);
  }

  private ReplacementDecision evict(App app, PodState pod) {
    handover.evicts();
    var asks = set().filter(set -> lastCopy.isDue(app, set, pod)).isPresent();
    var refused = asks ? evictDurable(app, pod) : eviction.attempt(app, pod);
    handover.acted();
    if (refused.isEmpty()) {
      reportReplaced(app, pod);
    }
    return refused.<ReplacementDecision>map(WaitFor::new).orElseGet(ReplaceNow::new);
  }

  /** The data are made durable only once nothing else keeps the pod: it takes no writes then. */
  private Optional<String> evictDurable(App app, PodState pod) {
    var kept = eviction.rehearse(app, pod);
    if (kept.isPresent() || !lastCopy.isDurable(app, pod)) {
      return kept.or(() -> Optional.of("pod %s: its data are not durable".formatted(pod.name())));
    }
    try {
      var refused = eviction.attemptRehearsed(app, pod);
      refused.ifPresent(why -> lastCopy.resume(pod));
      return refused;
    } catch (ActivityCompletionException e) { // cancelled, which shows only after a refusal
      lastCopy.resume(pod);
      throw e;
    }
  }

  private void reportReplaced(App app, PodState pod) {
    var role = switchover.isDone() ? "switched over" : request.pod().role().orElse("");
    var note =
        "pod %s%s %s; it is created again at revision %s"
            .formatted(
                pod.name(),
                role.isEmpty() ? "" : " (" + role + ")",
                pod.isReady() ? "evicted" : "deleted (" + pod.trouble() + ")",
                set().map(Rollout::revision).orElse(""));
    context.reporter().event(app, "PodReplaced", "Replace", pod, note);
  }

  private Optional<String> setMissing() {
    return set()
        .map(
            set ->
                Rollout.hasSeen(set, request.statefulSet().generation())
                    ? Optional.<String>empty()
                    : Optional.of(
                        "StatefulSet %s: not up to date yet"
                            .formatted(request.statefulSet().name())))
        .orElseGet(() -> Optional.of(applied.missing()));
  }

  private Optional<String> successorMissing(OutdatedPod before) {
    var set = set().orElseThrow();
    var pods = context.view().podsOf(key(), set);
    return pods.stream()
        .filter(pod -> pod.name().equals(before.name()))
        .findFirst()
        .map(pod -> Rollout.missing(set, pod).or(() -> Rollout.unavailableMessage(set, pods)))
        .orElseGet(() -> Optional.of("pod %s: not created yet".formatted(before.name())));
  }

  private void await(Supplier<Optional<String>> missing) {
    context.waiter().until(key(), runLock.guard(() -> refused.explain(missing.get())));
  }

  private Optional<StatefulSet> set() {
    var group = request.group();
    var labels = Labels.selector(change().app(), group.task().component(), group.group());
    return applied.observed().filter(set -> ClusterView.carries(set, labels));
  }

  private ChangeRef change() {
    return request.group().task().change();
  }

  private AppKey key() {
    return AppKey.of(change());
  }
}
