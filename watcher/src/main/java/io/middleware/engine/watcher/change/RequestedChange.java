package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.NewEditPolicy;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeTarget;
import java.time.Instant;
import java.util.Optional;

/**
 * What an App asks for and has not got yet.
 *
 * @param byForce whether what cannot be reached is given up; a deletion that has failed is then
 *     tried again at once
 */
record RequestedChange(ChangeRequest request, Stage stage, boolean byForce) {

  enum Stage {
    /** No run has taken it on: a new generation, or a deletion. */
    UNANSWERED,
    /** The status says that a run carries it out. */
    UNDERWAY,
    /** A run has taken it on and has ended, and it is still not done. */
    LEFT_BEHIND
  }

  static Optional<RequestedChange> of(App app) {
    return stage(app)
        .map(stage -> new RequestedChange(request(app), stage, app.isDeletedByForce()));
  }

  private static Optional<Stage> stage(App app) {
    AppStatus status = app.getStatus();
    long generation = app.getMetadata().getGeneration();
    if (app.isMarkedForDeletion()
        || status == null
        || generation > orNone(status.acceptedGeneration())) {
      return Optional.of(Stage.UNANSWERED);
    }
    if (status.change() != null && status.change().outcome() == null) {
      return Optional.of(Stage.UNDERWAY);
    }
    return generation > orNone(status.observedGeneration())
        ? Optional.of(Stage.LEFT_BEHIND)
        : Optional.empty();
  }

  /** What the App asks for now, as its spec says how. */
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

  private static long orNone(Long generation) {
    return generation == null ? 0 : generation;
  }
}
