package io.middleware.engine.activities.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The cluster as informers see it. They survive restarts of the API server by themselves. */
public final class InformerView implements ClusterView, AutoCloseable {
  private final WakeupsByApp bells = new WakeupsByApp();
  private final AppIndexedInformer<App> apps;
  private final AppIndexedInformer<Pod> pods;
  private final AppIndexedInformer<StatefulSet> statefulSets;
  private final AppIndexedInformer<Deployment> deployments;
  private final AppIndexedInformer<PodDisruptionBudget> budgets;
  private final AppIndexedInformer<PersistentVolumeClaim> claims;

  /**
   * @param client with the engine's own rights, and forgiving of objects it can't read
   * @param namespaces to watch; none: all
   */
  public InformerView(KubernetesClient client, List<String> namespaces) {
    apps = new AppIndexedInformer<>(all(client, namespaces, App.class), bells::ring);
    pods = shelf(client, namespaces, Pod.class);
    statefulSets = shelf(client, namespaces, StatefulSet.class);
    deployments = shelf(client, namespaces, Deployment.class);
    budgets = shelf(client, namespaces, PodDisruptionBudget.class);
    claims = shelf(client, namespaces, PersistentVolumeClaim.class);
  }

  /** Done when all that exists has been seen: before that the view knows nothing. */
  public CompletableFuture<Void> start() {
    return CompletableFuture.allOf(
        shelves().map(AppIndexedInformer::start).toArray(CompletableFuture[]::new));
  }

  /** Whether the view is kept up to date at the moment. */
  public boolean isWatching() {
    return shelves().allMatch(AppIndexedInformer::isWatching);
  }

  @Override
  public Optional<App> app(AppKey key) {
    return apps.of(key).stream().findFirst();
  }

  @Override
  public List<PodState> pods(AppKey key) {
    return pods.of(key).stream().map(PodState::new).toList();
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
  public List<VolumeState> volumes(AppKey key) {
    return claims.of(key).stream().map(VolumeState::new).toList();
  }

  @Override
  public Wakeup listen(AppKey key) {
    return bells.hang(key);
  }

  @Override
  public void close() {
    shelves().forEach(AppIndexedInformer::close);
  }

  private Stream<AppIndexedInformer<?>> shelves() {
    return Stream.of(apps, pods, statefulSets, deployments, budgets, claims);
  }

  private <T extends HasMetadata> AppIndexedInformer<T> shelf(
      KubernetesClient client, List<String> namespaces, Class<T> kind) {
    var labelled = all(client, namespaces, kind).map(source -> source.withLabel(Labels.APP));
    return new AppIndexedInformer<>(labelled, bells::ring);
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
