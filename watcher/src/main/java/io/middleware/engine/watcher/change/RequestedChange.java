package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.change.NewEditPolicy;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeTarget;
import java.time.Instant;
import java.util.Optional;

/**
 * A change that an App requests and that is not finished.
 *
 * @param rejected when it was rejected; empty when it was not
 * @param byForce whether the deletion abandons what it cannot reach; a deletion that failed is then
 *     retried at once
 * @param afterCancel whether it follows a change that was cancelled, or an Operation that may be:
 *     that one's run, if it has not closed yet, does not pass it on
 * @param run that carries it out according to the status, while it is in progress
 */
public record RequestedChange(
    ChangeRequest request,
    RequestStage stage,
    boolean byForce,
    boolean afterCancel,
    Optional<String> rejected,
    Optional<String> run) {

  public enum RequestStage {
    /** No run has accepted it: a new generation, or a deletion. */
    NOT_ACCEPTED,
    /** According to the status a run carries it out. */
    IN_PROGRESS,
    /** A run accepted it and ended without finishing it. */
    UNFINISHED,
    /** It could not be carried out as things were; they may have changed. */
    REJECTED,
    /** It was carried out with other Apps and Secrets, which have changed since. */
    OUTDATED
  }

  static Optional<RequestedChange> of(App app) {
    return stage(app).map(stage -> of(app, stage));
  }

  private static RequestedChange of(App app, RequestStage stage) {
    return new RequestedChange(
        request(app),
        stage,
        app.isDeletedByForce(),
        stage == RequestStage.NOT_ACCEPTED && isCancelledOrOperated(app),
        rejected(app, stage),
        stage == RequestStage.IN_PROGRESS ? run(app) : Optional.empty());
  }

  /**
   * The deletion of an App that others use, once a run has accepted it: that rejects it, and it is
   * asked for again as seldom as any rejected change. Empty of any other.
   */
  static Optional<RequestedChange> heldDeletion(App app) {
    return app.isMarkedForDeletion() && !app.isDeletedByForce() && isAccepted(app)
        ? accepted(app).map(stage -> of(app, stage))
        : Optional.empty();
  }

  /** The same change again, of an App that has carried it out; empty of any other. */
  public static Optional<RequestedChange> again(App app) {
    return of(app).isEmpty() && app.getStatus().succeededGeneration().isPresent()
        ? Optional.of(
            new RequestedChange(
                request(app),
                RequestStage.OUTDATED,
                false,
                false,
                Optional.empty(),
                Optional.empty()))
        : Optional.empty();
  }

  /** Whether the run may be the one that carries it out, or that will. */
  boolean mayBeCarriedOutBy(OpenRun open) {
    return run.filter(shown -> !shown.equals(open.id())).isEmpty();
  }

  private static Optional<String> run(App app) {
    return Optional.ofNullable(app.getStatus()).map(AppStatus::change).map(ChangeStatus::runId);
  }

  private static Optional<RequestStage> stage(App app) {
    return app.isMarkedForDeletion() || !isAccepted(app)
        ? Optional.of(RequestStage.NOT_ACCEPTED)
        : accepted(app);
  }

  private static boolean isAccepted(App app) {
    long generation = app.getMetadata().getGeneration();
    return app.getStatus() != null
        && generation <= known(app.getStatus().acceptedGeneration(), generation);
  }

  private static Optional<RequestStage> accepted(App app) {
    AppStatus status = app.getStatus();
    long generation = app.getMetadata().getGeneration();
    if (status.change() != null && status.change().outcome() == null) {
      return Optional.of(RequestStage.IN_PROGRESS);
    }
    if (generation > known(status.observedGeneration(), generation)) {
      return Optional.of(RequestStage.UNFINISHED);
    }
    return isRejected(app) ? Optional.of(RequestStage.REJECTED) : Optional.empty();
  }

  /** Whether the last change was of the App's newest generation, and was rejected. */
  public static boolean isRejected(App app) {
    var change = app.getStatus() == null ? null : app.getStatus().change();
    return change != null
        && ChangeOutcome.REJECTED.label().equals(change.outcome())
        && app.getMetadata().getGeneration().equals(change.generation());
  }

  private static boolean isCancelledOrOperated(App app) {
    var status = app.getStatus();
    return status != null
        && (status.operation() != null
            || (status.change() != null
                && ChangeOutcome.CANCELLED.label().equals(status.change().outcome())));
  }

  private static Optional<String> rejected(App app, RequestStage stage) {
    return stage == RequestStage.REJECTED
        ? Optional.ofNullable(app.getStatus().change().completedAt())
        : Optional.empty();
  }

  /** The change that the App requests now, with the settings of its spec. */
  static ChangeRequest request(App app) {
    var meta = app.getMetadata();
    var plain =
        new ChangeRequest(
            new ChangeTarget(
                meta.getNamespace(),
                meta.getName(),
                meta.getUid(),
                Instant.parse(meta.getCreationTimestamp()).toEpochMilli()),
            meta.getGeneration(),
            app.isMarkedForDeletion());
    return app.getSpec() == null
        ? plain
        : plain.in(app.isPaused(), isUrgent(app.getSpec())).using(plugin(app.getSpec()));
  }

  private static Optional<String> plugin(AppSpec spec) {
    return Optional.ofNullable(spec.plugin())
        .map(plugin -> Labels.pluginName(plugin.name(), plugin.version()));
  }

  private static boolean isUrgent(AppSpec spec) {
    return spec.change() != null && spec.change().onNewChange() == NewEditPolicy.SUPERSEDE;
  }

  /** A generation that the App does not have yet was not written by the engine: it is none. */
  private static long known(Long shown, long newest) {
    return shown == null || shown > newest ? 0 : shown;
  }
}
