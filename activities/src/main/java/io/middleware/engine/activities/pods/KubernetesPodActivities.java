package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.activities.agents.AgentActions;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.activities.kubernetes.RunLockFence;
import io.middleware.engine.activities.kubernetes.RunLockWatch;
import io.middleware.engine.activities.kubernetes.Snapshots;
import io.middleware.engine.activities.resources.TaskPodProgress;
import io.middleware.engine.activities.status.ActionProgressWriter;
import io.middleware.engine.activities.status.EventRecorder;
import io.middleware.engine.activities.status.ForcedDeletionReport;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.activity.Activity;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@inheritDoc} */
public final class KubernetesPodActivities implements PodActivities {
  private final PodReplacement.Cluster cluster;
  private final StepOverhead overhead;
  private final TaskPodProgress reach;

  /**
   * @param engine client with the engine's own rights
   * @param view started
   * @param agents asked just before a pod is taken
   * @param actions asked of a primary before it is taken
   * @param meters where the time between two pods is measured
   */
  public KubernetesPodActivities(
      KubernetesClient engine,
      RunLockFence fence,
      TaskPodProgress reach,
      Snapshots snapshots,
      ImpersonatedClients writers,
      ClusterView view,
      ClusterWaiter waiting,
      AgentQueries agents,
      AgentActions actions,
      ActionProgressWriter board,
      EventRecorder events,
      MeterRegistry meters) {
    this.cluster =
        new PodReplacement.Cluster(
            engine,
            writers,
            fence,
            snapshots,
            view,
            waiting,
            agents,
            actions,
            events,
            board);
    this.reach = reach;
    this.overhead = new StepOverhead(meters);
  }

  @Override
  public Replacement replacePod(ReplaceRequest request) {
    var group = request.group().workflowId();
    overhead.begin(group);
    var replacement = new PodReplacement(cluster, request, step()).run();
    overhead.end(group);
    return replacement;
  }

  @Override
  public void drain(DrainRequest request) {
    new PodDrain(cluster, request, step()).run();
  }

  /** Another attempt of the task is another run. */
  private static String step() {
    var info = Activity.getExecutionContext().getInfo();
    return "%s/%s".formatted(info.getWorkflowRunId(), info.getActivityId());
  }

  @Override
  public void awaitResumed(TaskRef task) {
    cluster.gate().pass(task.change());
  }

  @Override
  public Optional<String> missing(ConvergeRequest request) {
    return lacks(request).get();
  }

  @Override
  public void awaitConverged(ConvergeRequest request) {
    var task = request.group().task();
    var app = cluster.fence().check(task.change());
    await(task, lacks(request), new SurplusPods(cluster, request, app)::removeBroken);
  }

  private Supplier<Optional<String>> lacks(ConvergeRequest request) {
    var key = AppKey.of(request.group().task().change());
    if (isStorage(request.group().task())) {
      return () -> statefulSetLacks(key, request);
    }
    var generations = deployments(request.group());
    return () -> statefulSetLacks(key, request).or(() -> deploymentsLack(key, generations));
  }

  private Optional<String> statefulSetLacks(AppKey key, ConvergeRequest request) {
    return request.statefulSet().flatMap(set -> statefulSetLacks(key, request, set));
  }

  private Optional<String> statefulSetLacks(
      AppKey key, ConvergeRequest request, AppliedStatefulSet applied) {
    var view = cluster.view();
    return view.statefulSet(key, applied)
        .map(
            set ->
                isStorage(request.group().task())
                    ? Rollout.unowned(set, view.orphans(key, set), applied.generation())
                    : Rollout.missing(set, view.podsOf(key, set), applied.generation()))
        .orElseGet(() -> Optional.of("StatefulSet %s: does not exist".formatted(applied.name())));
  }

  /** Volumes grow whether pods are ready or not; a StatefulSet that is new has to have its pods. */
  private static boolean isStorage(TaskRef task) {
    return task.type() == ChangeType.STORAGE;
  }

  @Override
  public void awaitGone(GroupRef group) {
    var change = group.task().change();
    var app = cluster.snapshots().of(change, cluster.fence().check(change));
    var givenUp = new ForcedDeletionReport(cluster.events());
    var remover = new PodEvictor();
    var last =
        new TerminatingPods(
            pod -> remover.delete(cluster.writers().of(app), pod),
            pod -> remover.kill(cluster.writers().of(app), pod),
            (pod, why) -> givenUp.tell(app, "pod " + pod.name(), why),
            InstantSource.system());
    await(
        group.task(), () -> last.look(pods(group), isDeletedByForce(AppKey.of(change))), () -> {});
  }

  private boolean isDeletedByForce(AppKey key) {
    return cluster.view().app(key).filter(App::isDeletedByForce).isPresent();
  }

  @Override
  public Optional<String> blocker(TaskRef task) {
    return new TaskBlocker(cluster.view(), task).inWords();
  }

  @Override
  public TaskState taskState(TaskRef task) {
    return reach.of(task);
  }

  /**
   * @param meanwhile done at each look that finds something missing, while the App is still ours
   */
  private void await(TaskRef task, Supplier<Optional<String>> missing, Runnable meanwhile) {
    var claim = new RunLockWatch(cluster.fence(), cluster.view(), task.change());
    cluster
        .waiting()
        .until(
            AppKey.of(task.change()),
            () -> {
              var words = missing.get();
              if (words.isPresent()) {
                claim.look();
                meanwhile.run();
              }
              return words;
            });
  }

  /** Looked up, as the view may not have seen yet what was applied. */
  private Map<String, Long> deployments(GroupRef group) {
    var change = group.task().change();
    return Faults.attempt(
            "list Deployments of group " + group.group(),
            () ->
                cluster
                    .engine()
                    .resources(Deployment.class)
                    .inNamespace(change.namespace())
                    .withLabels(selector(group))
                    .list()
                    .getItems())
        .stream()
        .collect(
            Collectors.toMap(d -> d.getMetadata().getName(), d -> d.getMetadata().getGeneration()));
  }

  private Optional<String> deploymentsLack(AppKey key, Map<String, Long> generations) {
    var seen =
        cluster.view().deployments(key).stream()
            .collect(Collectors.toMap(d -> d.getMetadata().getName(), d -> d));
    return Rollout.first(
        generations.entrySet().stream()
            .flatMap(
                wanted ->
                    Optional.ofNullable(seen.get(wanted.getKey()))
                        .map(deployment -> Rollout.missing(deployment, wanted.getValue()))
                        .orElseGet(
                            () ->
                                Optional.of(
                                    "Deployment %s: not seen yet".formatted(wanted.getKey())))
                        .stream())
            .toList());
  }

  private List<PodState> pods(GroupRef group) {
    var selector = selector(group);
    return cluster.view().pods(AppKey.of(group.task().change())).stream()
        .filter(pod -> ClusterView.carries(pod.pod(), selector))
        .toList();
  }

  private static Map<String, String> selector(GroupRef group) {
    var task = group.task();
    return Labels.selector(task.change().app(), task.component(), group.group());
  }
}
