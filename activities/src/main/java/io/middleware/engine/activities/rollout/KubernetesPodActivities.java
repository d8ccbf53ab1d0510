package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.activities.maintenance.LastCopy;
import io.middleware.engine.activities.maintenance.PodDrain;
import io.middleware.engine.activities.maintenance.PrimarySwitchover;
import io.middleware.engine.activities.objects.DrainedPods;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.pods.HoldingChecks;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepId;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatus;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.AppliedSet;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.LastPrimaries;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.activity.Activity;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** {@inheritDoc} */
public final class KubernetesPodActivities implements PodActivities {
  private final PodStepContext context;
  private final KubernetesClient engine;
  private final EngineObjects objects;
  private final AgentQueries agents;
  private final LastPrimaries lastPrimaries;
  private final RoleNow role;
  private final HoldingChecks checks;
  private final AgentActions actions;
  private final GroupConvergence convergence;
  private final TaskPodProgress podProgress;
  private final StepHandover handover;

  /**
   * @param engine client with the engine's own rights
   * @param agents asked for a pod's role just before its eviction
   * @param actions for switchovers and drains
   * @param checks looked at before each pod and after the last one
   * @param meters where the time between two pods is measured
   */
  public KubernetesPodActivities(
      PodStepContext context,
      KubernetesClient engine,
      AgentQueries agents,
      AgentActions actions,
      HoldingChecks checks,
      TaskPodProgress podProgress,
      MeterRegistry meters) {
    this.context = context;
    this.engine = engine;
    this.objects = new EngineObjects(engine);
    this.agents = agents;
    this.lastPrimaries = LastPrimaries.in(engine);
    this.checks = checks;
    this.role = new RoleNow(agents, lastPrimaries);
    this.actions = actions;
    this.convergence = new GroupConvergence(engine, context.view());
    this.podProgress = podProgress;
    this.handover = new StepHandover(meters);
  }

  @Override
  public Replacement replacePod(ReplaceRequest request) {
    var id = StepId.of(Activity.getExecutionContext());
    var before =
        new BeforeEviction(
            new PrimarySwitchover(context, actions, request, id),
            new LastCopy(context, actions, request, id));
    var key = AppKey.of(request.group().task().change());
    var set = new AppliedSet(engine, context.view(), key, request.statefulSet());
    var whole = new ConvergeRequest(request.group(), Optional.of(request.statefulSet()));
    try (var step = handover.of(request.group().workflowId())) {
      var refusals = new CreationEvents(engine);
      return new PodReplacement(context, role, checks, before, request, set, refusals, step)
          .run()
          .<Replacement>map(left -> left)
          .orElseGet(
              () -> {
                if (isLast(request)) {
                  awaitChecks(request.group().task());
                }
                return new Replaced(convergence.isReached(whole));
              });
    }
  }

  private boolean isLast(ReplaceRequest request) {
    var key = AppKey.of(request.change());
    return context
        .view()
        .statefulSet(key, request.statefulSet())
        .filter(set -> Rollout.outdated(set, context.view().podsOf(key, set)).isEmpty())
        .isPresent();
  }

  /** A look after the last pod: a task does not succeed while a check beside it fails. */
  private void awaitChecks(TaskRef task) {
    while (!checks.hold(task, "task %s: its end".formatted(task.id()))) {
      context.gate().pass(task.change());
    }
  }

  @Override
  public void drain(DrainRequest request) {
    var step = StepId.of(Activity.getExecutionContext());
    var drained = new DrainedPods(objects, request.group());
    new PodDrain(context, agents, lastPrimaries, actions, request, step).run(drained::add);
  }

  @Override
  public void awaitResumed(TaskRef task) {
    context.gate().awaitResumed(task.change());
  }

  @Override
  public Optional<String> missing(ConvergeRequest request) {
    return convergence.missing(request).get();
  }

  @Override
  public void awaitConverged(ConvergeRequest request) {
    var task = request.group().task();
    var app = context.gate().check(task.change());
    var surplus = new SurplusPods(context, request, app);
    var refused =
        new RefusedPods(
            context, new CreationEvents(engine), request.group(), () -> observed(request));
    var missing = convergence.missing(request);
    await(task, () -> refused.explain(missing.get()), surplus::removeBroken);
    awaitChecks(task);
  }

  private Optional<StatefulSet> observed(ConvergeRequest request) {
    var key = AppKey.of(request.group().task().change());
    return request.statefulSet().flatMap(it -> context.view().statefulSet(key, it));
  }

  @Override
  public void awaitGone(GroupRef group) {
    var change = group.task().change();
    var app = context.gate().checkWithSpec(change);
    var evictor = context.evictor();
    var terminating =
        new TerminatingPods(
            pod -> evictor.delete(app, pod),
            pod -> evictor.forceDelete(app, pod),
            (pod, why) -> context.reporter().abandoned(app, pod, why),
            InstantSource.system());
    var owned = new GroupPods(inventory(group));
    var held = new HeldDeletion(context.reporter().progressOf(change));
    await(
        group.task(),
        () -> {
          var message = terminating.check(pods(group, owned), isDeletedByForce(AppKey.of(change)));
          message.ifPresent(held::report);
          return message;
        },
        () -> {});
    held.done();
  }

  private Set<InventoryItem> inventory(GroupRef group) {
    return objects
        .group(group.task(), group.group())
        .map(Group::getStatus)
        .map(GroupStatus::inventory)
        .map(Set::copyOf)
        .orElseGet(Set::of);
  }

  private boolean isDeletedByForce(AppKey key) {
    return context.view().app(key).filter(App::isDeletedByForce).isPresent();
  }

  @Override
  public Optional<String> blocker(TaskRef task) {
    return new TaskBlocker(context.view(), new CreationEvents(engine), task).message();
  }

  @Override
  public TaskState taskState(TaskRef task) {
    return podProgress.of(task);
  }

  /**
   * @param meanwhile runs after each check that finds something missing, while the run still holds
   *     the App's run lock
   */
  private void await(TaskRef task, Supplier<Optional<String>> missing, Runnable meanwhile) {
    var runLock = context.gate().watch(task.change());
    context
        .waiter()
        .until(
            AppKey.of(task.change()),
            () -> {
              var message = missing.get();
              if (message.isPresent()) {
                runLock.check();
                meanwhile.run();
              }
              return message;
            });
  }

  private List<PodState> pods(GroupRef group, GroupPods owned) {
    var task = group.task();
    var selector = Labels.selector(task.change().app(), task.component(), group.group());
    return context.view().pods(AppKey.of(task.change())).stream()
        .filter(pod -> ClusterView.carries(pod.pod(), selector) && owned.contain(pod))
        .toList();
  }
}
