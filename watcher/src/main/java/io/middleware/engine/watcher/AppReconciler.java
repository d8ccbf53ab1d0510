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
import io.middleware.engine.watcher.endpoints.EndpointMirror;
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
  private final Submission submission;
  private final UsesOfApps uses;
  private final EndpointMirror endpoints;
  private final HealthMirror health;
  private final MetadataMirror metadata;
  private final WorkProgress progress;

  AppReconciler(
      AppObserver observer,
      Submission submission,
      UsesOfApps uses,
      EndpointMirror endpoints,
      HealthMirror health,
      MetadataMirror metadata,
      WorkProgress progress) {
    this.observer = observer;
    this.submission = submission;
    this.uses = uses;
    this.endpoints = endpoints;
    this.health = health;
    this.metadata = metadata;
    this.progress = progress;
  }

  @Override
  public List<EventSource<?, App>> prepareEventSources(EventSourceContext<App> context) {
    return observer.sources(context);
  }

  @Override
  public UpdateControl<App> reconcile(App app, Context<App> context) {
    var control = UpdateControl.<App>noUpdate();
    progress.during(() -> observeAndSubmit(app, context)).ifPresent(control::rescheduleAfter);
    return control;
  }

  @Override
  public DeleteControl cleanup(App app, Context<App> context) {
    var control = DeleteControl.noFinalizerRemoval();
    progress.during(() -> observeAndSubmit(app, context)).ifPresent(control::rescheduleAfter);
    return control;
  }

  /**
   * Endpoints come first, as clients wait for them. Health does not wait for Temporal, and a failed
   * write of health does not delay a signal.
   */
  private Optional<Duration> observeAndSubmit(App app, Context<App> context) {
    submission.take(app);
    uses.observed(app);
    var observed = observer.observe(app, context);
    var mirrored = endpoints.mirror(observed, observer.slices(app, context));
    var mirror = health.mirror(mirrored.problem().map(observed::with).orElse(observed));
    metadata.mirror(observed);
    return Stream.of(mirrored.retry(), mirror).flatMap(Optional::stream).min(Duration::compareTo);
  }
}
