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
 * Looks at one App at a time: tells its workflow what is asked for, and mirrors its health and its
 * metadata. The finalizer is removed by the workflow, when the teardown is done.
 */
@ControllerConfiguration(
    name = "apps",
    finalizerName = Labels.TEARDOWN,
    fieldManager = AppReconciler.FIELD_MANAGER,
    generationAwareEventProcessing = false)
final class AppReconciler implements Reconciler<App>, Cleaner<App> {
  static final String FIELD_MANAGER = "middleware-watcher";

  private final AppObserver sight;
  private final ChangeSignaller changes;
  private final ControlRequests controls;
  private final HealthMirror health;
  private final MetadataMirror metadata;

  AppReconciler(
      AppObserver sight,
      ChangeSignaller changes,
      ControlRequests controls,
      HealthMirror health,
      MetadataMirror metadata) {
    this.sight = sight;
    this.changes = changes;
    this.controls = controls;
    this.health = health;
    this.metadata = metadata;
  }

  @Override
  public List<EventSource<?, App>> prepareEventSources(EventSourceContext<App> context) {
    return sight.sources(context);
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
      var seen = sight.of(app, context);
      mirror = health.mirror(seen);
      metadata.mirror(seen);
    } finally {
      change = changes.attend(app);
      control = controls.attend(app);
    }
    return Stream.of(mirror, change, control).flatMap(Optional::stream).min(Duration::compareTo);
  }
}
