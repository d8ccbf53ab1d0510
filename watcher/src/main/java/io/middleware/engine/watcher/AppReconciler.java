package io.middleware.engine.watcher;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.watcher.cache.LeanStore;
import io.middleware.engine.watcher.cache.PartCuts;
import io.middleware.engine.watcher.cache.PodCut;
import io.middleware.engine.watcher.change.ChangeSignaller;
import io.middleware.engine.watcher.control.Controls;
import io.middleware.engine.watcher.health.HealthMirror;
import io.middleware.engine.watcher.health.Observation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Looks at one App at a time: tells its workflow what is asked for, and mirrors its health. The
 * finalizer is removed by the workflow, when the teardown is done.
 */
@ControllerConfiguration(
    name = "apps",
    finalizerName = Labels.TEARDOWN,
    fieldManager = AppReconciler.FIELD_MANAGER,
    generationAwareEventProcessing = false)
final class AppReconciler implements Reconciler<App>, Cleaner<App> {
  static final String FIELD_MANAGER = "middleware-watcher";

  /** Objects read at once when informers start. */
  static final long PAGE = 500;

  private final ChangeSignaller changes;
  private final Controls controls;
  private final HealthMirror health;

  AppReconciler(ChangeSignaller changes, Controls controls, HealthMirror health) {
    this.changes = changes;
    this.controls = controls;
    this.health = health;
  }

  @Override
  public List<EventSource<?, App>> prepareEventSources(EventSourceContext<App> context) {
    var pods =
        ofApps(Pod.class)
            .withItemStore(new LeanStore<>(PodCut::cut))
            .withOnUpdateFilter(PodCut::differs)
            .build();
    var components =
        ofApps(Component.class).withItemStore(new LeanStore<Component>(PartCuts::cut)).build();
    var groups = ofApps(Group.class).withItemStore(new LeanStore<Group>(PartCuts::cut)).build();
    return List.of(
        new InformerEventSource<>(pods, context),
        new InformerEventSource<>(components, context),
        new InformerEventSource<>(groups, context));
  }

  @Override
  public UpdateControl<App> reconcile(App app, Context<App> context) {
    var control = UpdateControl.<App>noUpdate();
    lookAt(app, context).ifPresent(control::rescheduleAfter);
    return control;
  }

  @Override
  public DeleteControl cleanup(App app, Context<App> context) {
    var control = DeleteControl.noFinalizerRemoval();
    lookAt(app, context).ifPresent(control::rescheduleAfter);
    return control;
  }

  /**
   * Health first: it never waits for Temporal, and what it cannot write delays no signal. An edit
   * is told before what is asked of its change.
   */
  private Optional<Duration> lookAt(App app, Context<App> context) {
    Optional<Duration> mirror;
    Optional<Duration> change;
    Optional<Duration> control;
    try {
      mirror = health.mirror(observation(app, context));
    } finally {
      change = changes.attend(app);
      control = controls.attend(app);
    }
    return Stream.of(mirror, change, control).flatMap(Optional::stream).min(Duration::compareTo);
  }

  private static Observation observation(App app, Context<App> context) {
    return new Observation(
        app,
        context.getSecondaryResourcesAsStream(Component.class).toList(),
        context.getSecondaryResourcesAsStream(Group.class).toList(),
        context.getSecondaryResourcesAsStream(Pod.class).toList());
  }

  private static <R extends HasMetadata> InformerEventSourceConfiguration.Builder<R> ofApps(
      Class<R> type) {
    return InformerEventSourceConfiguration.from(type, App.class)
        .withLabelSelector(Labels.APP)
        .withInformerListLimit(PAGE)
        .withSecondaryToPrimaryMapper(AppReconciler::app);
  }

  private static Set<ResourceID> app(HasMetadata object) {
    var meta = object.getMetadata();
    return Set.of(new ResourceID(meta.getLabels().get(Labels.APP), meta.getNamespace()));
  }
}
