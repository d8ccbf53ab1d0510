package io.middleware.engine.watcher;

import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.watcher.change.ChangeSignaller;
import io.middleware.engine.watcher.control.ControlRequests;
import io.middleware.engine.watcher.health.HealthMirror;
import io.middleware.engine.watcher.metadata.MetadataMirror;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reconciles one App: signals the requested change to its workflow, and mirrors its health and its
 * metadata. The workflow removes the finalizer when the teardown is done.
 */
@ControllerConfiguration(
    name = "apps",
    finalizerName = Labels.TEARDOWN,
    fieldManager = AppReconciler.FIELD_MANAGER,
    generationAwareEventProcessing = false)
final class AppReconciler implements Reconciler<App>, Cleaner<App> {
  static final String FIELD_MANAGER = "middleware-watcher";

  private final AppObserver observer;
  private final ChangeSignaller changes;
  private final ControlRequests controls;
  private final HealthMirror health;
  private final MetadataMirror metadata;

  AppReconciler(
      AppObserver observer,
      ChangeSignaller changes,
      ControlRequests controls,
      HealthMirror health,
      MetadataMirror metadata) {
    this.observer = observer;
    this.changes = changes;
    this.controls = controls;
    this.health = health;
    this.metadata = metadata;
  }

  @Override
  public List<EventSource<?, App>> prepareEventSources(EventSourceContext<App> context) {
    return observer.sources(context);
  }

  @Override
  public UpdateControl<App> reconcile(App app, Context<App> context) {
    var control = UpdateControl.<App>noUpdate();
    observeAndSignal(app, context).ifPresent(control::rescheduleAfter);
    return control;
  }

  @Override
  public DeleteControl cleanup(App app, Context<App> context) {
    var control = DeleteControl.noFinalizerRemoval();
    observeAndSignal(app, context).ifPresent(control::rescheduleAfter);
    return control;
  }

  /**
   * Mirrors health first: it never waits for Temporal, and a failed write does not delay a signal.
   * Signals an edit before the control requests for its change.
   */
  private Optional<Duration> observeAndSignal(App app, Context<App> context) {
    Optional<Duration> mirror;
    Optional<Duration> change;
    Optional<Duration> control;
    try {
      var observed = observer.observe(app, context);
      mirror = health.mirror(observed);
      metadata.mirror(observed);
    } finally {
      change = changes.reconcile(app);
      control = controls.reconcile(app);
    }
    return Stream.of(mirror, change, control).flatMap(Optional::stream).min(Duration::compareTo);
  }
}
