package io.middleware.engine.watcher;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.process.pods.PodReports;
import io.middleware.engine.watcher.cache.EndpointSliceCacheTransform;
import io.middleware.engine.watcher.cache.LeanStore;
import io.middleware.engine.watcher.cache.ObservedObjects;
import io.middleware.engine.watcher.cache.OptionalKinds;
import io.middleware.engine.watcher.cache.PartCacheTransforms;
import io.middleware.engine.watcher.cache.PodCacheTransform;
import io.middleware.engine.watcher.cache.ServedNamespaces;
import io.middleware.engine.watcher.cache.StatefulSetCacheTransform;
import io.middleware.engine.watcher.cache.VolumeClaimCacheTransform;
import io.middleware.engine.watcher.endpoints.EndpointMirror;
import io.middleware.engine.watcher.health.AppMetrics;
import io.middleware.engine.watcher.health.AppObservation;
import io.middleware.engine.watcher.health.EndpointService;
import io.middleware.engine.watcher.health.ExistingObjects;
import io.middleware.engine.watcher.roles.RoleTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Observes an App: its Components and Groups, its pods, their StatefulSets, roles and volume
 * claims, and that its other objects exist.
 */
final class AppObserver {
  /** Page size of the first list of an informer. */
  static final long PAGE = 500;

  private static final GroupVersionKind SLICES =
      new GroupVersionKind("discovery.k8s.io", "v1", "EndpointSlice");

  private final RoleTracker roles;
  private final PodReports reports;
  private final ServedNamespaces served;
  private final OptionalKinds optional;
  private final ObservedDependencies dependencies;
  private final List<EventSourceFactory> otherSources;
  private final AppMetrics metrics;

  /** Makes event sources that trigger reconciliation of Apps. */
  interface EventSourceFactory {
    List<EventSource<?, App>> in(EventSourceContext<App> context);
  }

  /**
   * @param reports what is said of pods elsewhere than in their status
   * @param optional what is read only where the watcher may
   * @param dependencies what Apps use
   * @param otherSources event sources besides Components, Groups, pods and volume claims
   * @param metrics of all Apps
   */
  AppObserver(
      RoleTracker roles,
      PodReports reports,
      ServedNamespaces served,
      OptionalKinds optional,
      ObservedDependencies dependencies,
      List<EventSourceFactory> otherSources,
      AppMetrics metrics) {
    this.metrics = metrics;
    this.roles = roles;
    this.reports = reports;
    this.served = served;
    this.optional = optional;
    this.dependencies = dependencies;
    this.otherSources = List.copyOf(otherSources);
  }

  List<EventSource<?, App>> sources(EventSourceContext<App> context) {
    metrics.observe(() -> context.getPrimaryCache().list());
    var sources = new ArrayList<EventSource<?, App>>();
    served
        .scopes()
        .forEach(
            scope -> {
              sources.add(ServedNamespaces.source("pods", scope, AppObserver::pods, context));
              sources.add(
                  ServedNamespaces.source("statefulsets", scope, AppObserver::sets, context));
              sources.add(ServedNamespaces.source("volumes", scope, AppObserver::volumes, context));
              ObservedObjects.kinds().stream()
                  .filter(kind -> optional.include(kind, scope))
                  .map(
                      kind ->
                          ServedNamespaces.source(
                              kind.getKind(), scope, () -> objects(kind), context))
                  .forEach(sources::add);
              if (optional.include(SLICES, scope)) {
                sources.add(ServedNamespaces.source("slices", scope, AppObserver::slices, context));
              }
              sources.add(
                  ServedNamespaces.source(
                      "components",
                      scope,
                      () -> ofApps(Component.class, PartCacheTransforms::reduce),
                      context));
              sources.add(
                  ServedNamespaces.source(
                      "groups",
                      scope,
                      () -> ofApps(Group.class, PartCacheTransforms::reduce),
                      context));
            });
    sources.addAll(dependencies.sources(context));
    otherSources.forEach(source -> sources.addAll(source.in(context)));
    return sources;
  }

  AppObservation observe(App app, Context<App> context) {
    var components = context.getSecondaryResourcesAsStream(Component.class).toList();
    var groups = context.getSecondaryResourcesAsStream(Group.class).toList();
    var pods = context.getSecondaryResourcesAsStream(Pod.class).toList();
    var claims = context.getSecondaryResourcesAsStream(PersistentVolumeClaim.class).toList();
    var objects = context.getSecondaryResourcesAsStream(GenericKubernetesResource.class).toList();
    var endpoints = EndpointService.among(objects.stream());
    return new AppObservation(
        app,
        components,
        groups,
        pods,
        roles.update(app, groups, pods, endpoints),
        context.getSecondaryResourcesAsStream(Backup.class).toList(),
        claims,
        context.getSecondaryResourcesAsStream(StatefulSet.class).toList(),
        reports,
        ExistingObjects.of(
            item -> optional.include(item, served.scope(app.getMetadata().getNamespace())),
            Stream.concat(claims.stream(), objects.stream()).toList()),
        dependencies.missing(app, components),
        endpoints);
  }

  /** Those that the engine keeps for the App; empty: they are not read, so none may be written. */
  Optional<List<EndpointSlice>> slices(App app, Context<App> context) {
    return optional.include(SLICES, served.scope(app.getMetadata().getNamespace()))
        ? Optional.of(context.getSecondaryResourcesAsStream(EndpointSlice.class).toList())
        : Optional.empty();
  }

  private static InformerEventSourceConfiguration.Builder<Pod> pods() {
    return ofApps(Pod.class, PodCacheTransform::reduce)
        .withOnUpdateFilter(PodCacheTransform::differs);
  }

  private static InformerEventSourceConfiguration.Builder<StatefulSet> sets() {
    return ofApps(StatefulSet.class, StatefulSetCacheTransform::reduce)
        .withOnUpdateFilter(StatefulSetCacheTransform::differs);
  }

  private static InformerEventSourceConfiguration.Builder<PersistentVolumeClaim> volumes() {
    return ofApps(PersistentVolumeClaim.class, VolumeClaimCacheTransform::reduce)
        .withOnUpdateFilter(VolumeClaimCacheTransform::differs);
  }

  /** Its own: Kubernetes makes others, with the labels of their Services. */
  private static InformerEventSourceConfiguration.Builder<EndpointSlice> slices() {
    return ofApps(EndpointSlice.class, EndpointSliceCacheTransform::reduce)
        .withLabelSelector(EndpointMirror.SELECTOR);
  }

  private static InformerEventSourceConfiguration.Builder<GenericKubernetesResource> objects(
      GroupVersionKind kind) {
    return ofApps(InformerEventSourceConfiguration.from(kind, App.class), ObservedObjects::reduce)
        .withOnUpdateFilter(ObservedObjects::differs);
  }

  private static <R extends HasMetadata> InformerEventSourceConfiguration.Builder<R> ofApps(
      Class<R> type, Consumer<R> transform) {
    return ofApps(InformerEventSourceConfiguration.from(type, App.class), transform);
  }

  private static <R extends HasMetadata> InformerEventSourceConfiguration.Builder<R> ofApps(
      InformerEventSourceConfiguration.Builder<R> builder, Consumer<R> transform) {
    return builder
        .withItemStore(new LeanStore<>(transform))
        .withLabelSelector(Labels.APP)
        .withInformerListLimit(PAGE)
        .withSecondaryToPrimaryMapper(AppObserver::app);
  }

  /** The App that the object is labelled with. */
  static Set<ResourceID> app(HasMetadata object) {
    var meta = object.getMetadata();
    return Set.of(new ResourceID(meta.getLabels().get(Labels.APP), meta.getNamespace()));
  }
}
