package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.process.pods.ObjectEvents;
import io.middleware.engine.process.pods.PodEvents;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The cluster as seen by informers, which reconnect when the API server restarts. */
public final class InformerView implements ClusterView, AutoCloseable {
  private final WakeupsByApp wakeups = new WakeupsByApp();
  private final AppIndexedInformer<App> apps;
  private final AppIndexedInformer<Pod> pods;
  private final AppIndexedInformer<StatefulSet> statefulSets;
  private final AppIndexedInformer<Deployment> deployments;
  private final AppIndexedInformer<PodDisruptionBudget> budgets;
  private final AppIndexedInformer<Job> jobs;
  private final AppIndexedInformer<PersistentVolumeClaim> volumeClaims;
  private final PodEvents events;

  /**
   * @param client with the engine's own rights; must tolerate objects that it cannot read
   * @param namespaces to watch; none means all
   */
  public InformerView(KubernetesClient client, List<String> namespaces) {
    apps = new AppIndexedInformer<>(all(client, namespaces, App.class), wakeups::trigger);
    pods = informer(client, namespaces, Pod.class);
    statefulSets = informer(client, namespaces, StatefulSet.class);
    deployments = informer(client, namespaces, Deployment.class);
    budgets = informer(client, namespaces, PodDisruptionBudget.class);
    jobs = informer(client, namespaces, Job.class);
    volumeClaims = informer(client, namespaces, PersistentVolumeClaim.class);
    events =
        new PodEvents(new ObjectEvents(client), pod -> AppKey.of(pod).ifPresent(wakeups::trigger));
  }

  /** Completes when every existing object has been seen; before that the view is empty. */
  public CompletableFuture<Void> start() {
    return CompletableFuture.allOf(
        informers().map(AppIndexedInformer::start).toArray(CompletableFuture[]::new));
  }

  @Override
  public boolean isWatching() {
    return informers().allMatch(AppIndexedInformer::isWatching);
  }

  @Override
  public Optional<App> app(AppKey key) {
    return apps.of(key).stream().findFirst();
  }

  @Override
  public List<PodState> pods(AppKey key) {
    return pods.of(key).stream().map(pod -> new PodState(pod, events.of(pod))).toList();
  }

  @Override
  public List<StatefulSet> statefulSets(AppKey key) {
    return statefulSets.of(key);
  }

  @Override
  public List<Deployment> deployments(AppKey key) {
    return deployments.of(key);
  }

  @Override
  public List<PodDisruptionBudget> budgets(AppKey key) {
    return budgets.of(key);
  }

  @Override
  public List<Job> jobs(AppKey key) {
    return jobs.of(key);
  }

  @Override
  public List<VolumeState> volumes(AppKey key) {
    return volumeClaims.of(key).stream().map(VolumeState::new).toList();
  }

  @Override
  public Wakeup listen(AppKey key) {
    return wakeups.register(key);
  }

  @Override
  public void close() {
    events.close();
    informers().forEach(AppIndexedInformer::close);
  }

  private Stream<AppIndexedInformer<?>> informers() {
    return Stream.of(apps, pods, statefulSets, deployments, budgets, jobs, volumeClaims);
  }

  private <T extends HasMetadata> AppIndexedInformer<T> informer(
      KubernetesClient client, List<String> namespaces, Class<T> kind) {
    var labelled = all(client, namespaces, kind).map(source -> source.withLabel(Labels.APP));
    return new AppIndexedInformer<>(labelled, wakeups::trigger);
  }

  private static <T extends HasMetadata>
      Stream<AnyNamespaceOperation<T, KubernetesResourceList<T>, Resource<T>>> all(
          KubernetesClient client, List<String> namespaces, Class<T> kind) {
    var objects = client.resources(kind);
    return namespaces.isEmpty()
        ? Stream.of(objects.inAnyNamespace())
        : namespaces.stream().map(objects::inNamespace);
  }
}
