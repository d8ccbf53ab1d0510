package io.middleware.engine.watcher.request;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.middleware.engine.watcher.cache.LeanStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Reconciles one request of a kind. One that is deleted while it runs is stopped first. The
 * framework reads the kind from the type argument of a named subclass, which has nothing else.
 */
@ControllerConfiguration(
    fieldManager = RequestReconciler.FIELD_MANAGER,
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true)
public abstract class RequestReconciler<T extends CustomResource<?, ?>> implements Reconciler<T> {
  static final String FIELD_MANAGER = "middleware-watcher";

  private final RequestKind<T, ?> kind;
  private final RequestSubmission<T, ?> submission;
  private final RunFinalizer finalizer;

  protected RequestReconciler(RequestSubmission<T, ?> submission) {
    this.kind = submission.kind();
    this.submission = submission;
    this.finalizer = new RunFinalizer(kind.finalizer());
  }

  @Override
  public final UpdateControl<T> reconcile(T request, Context<T> context) {
    var control = UpdateControl.<T>noUpdate();
    if (!finalizer.isGone(request, context)) {
      next(request, context).ifPresent(control::rescheduleAfter);
    }
    return control;
  }

  private Optional<Duration> next(T request, Context<T> context) {
    if (request.isMarkedForDeletion() && submission.hasNoRun(request)) {
      var next = kind.release(request);
      finalizer.put(request, next.isPresent(), context);
      return next;
    }
    var current = finalizer.put(request, kind.isHeld(request), context);
    var namespace = request.getMetadata().getNamespace();
    return submission.reconcile(
        current, () -> context.getPrimaryCache().list(namespace, other -> true).toList());
  }

  /**
   * Completes what the framework knows of the kind.
   *
   * @param reduces whether the cache may be reduced to what matters here
   */
  public final void configure(ControllerConfigurationOverrider<T> options, boolean reduces) {
    options.withName(HasMetadata.getPlural(kind.type())).withOnUpdateFilter(this::differs);
    if (reduces) {
      options.withItemStore(new LeanStore<>(kind::reduce));
    }
  }

  /** Whether an update changes what is to be done: most of them only say how far the run is. */
  public final boolean differs(T now, T before) {
    var meta = now.getMetadata();
    return !meta.getUid().equals(before.getMetadata().getUid())
        || !Objects.equals(meta.getGeneration(), before.getMetadata().getGeneration())
        || now.isMarkedForDeletion() != before.isMarkedForDeletion()
        || !now.getFinalizers().equals(before.getFinalizers())
        || !kind.progress(now).equals(kind.progress(before));
  }
}
