package io.middleware.engine.activities.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ChangeStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.StatusActivities;
import java.time.Clock;
import java.util.Optional;

/** Shows a change in its App's status and in events. */
public final class KubernetesStatusActivities implements StatusActivities {
  private final AppStatusWriter writer;
  private final RunLookup runs;
  private final PendingChangeAnnotation mark;
  private final PlanStatusWriter board;
  private final TransitionPublisher announcer;
  private final Clock clock;

  /**
   * @param client with the engine's own rights
   */
  public KubernetesStatusActivities(
      KubernetesClient client,
      AppStatusWriter writer,
      RunLookup runs,
      TransitionPublisher announcer,
      Clock clock) {
    this.writer = writer;
    this.runs = runs;
    this.mark = new PendingChangeAnnotation(client);
    this.board = new PlanStatusWriter(client);
    this.announcer = announcer;
    this.clock = clock;
  }

  @Override
  public void report(ChangeProgress progress) {
    var change = progress.change();
    writer
        .write(
            new AppId(change.namespace(), change.app(), change.uid()), app -> status(app, progress))
        .ifPresent(
            written -> {
              announcer.tell(written.before(), written.status());
              mark.keep(written.before(), progress.pending().isPresent());
              if (progress.end().isPresent()
                  || (progress.planned() && progress.hold().approval().isEmpty())) {
                board.clear(written.before());
              }
            });
  }

  private Optional<AppStatus> status(App app, ChangeProgress progress) {
    var claim = Optional.ofNullable(app.getStatus()).map(AppStatus::change);
    requireClaim(claim, progress.change());
    var newest = claimed(progress, claim);
    return claim.filter(shown -> AppStatusFactory.isBehind(newest, shown)).isPresent()
        ? Optional.empty()
        : Optional.of(AppStatusFactory.of(app, newest, clock.instant()));
  }

  /** Planning that fails, or ends, speaks of the generation that it had claimed. */
  private static ChangeProgress claimed(ChangeProgress progress, Optional<ChangeStatus> claim) {
    return claim
        .filter(held -> progress.change().runId().equals(held.runId()))
        .filter(held -> held.generation() > progress.change().generation())
        .filter(held -> progress.hold().planningFault().isPresent() || progress.end().isPresent())
        .map(held -> progress.at(held.generation()))
        .orElse(progress);
  }

  /** What is written renews the claim of a run that a reset has made. */
  private void requireClaim(Optional<ChangeStatus> claim, ChangeRef change) {
    var isOurs = claim.filter(held -> change.runId().equals(held.runId())).isPresent();
    if (!isOurs && !runs.isAtWork(change)) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "the run lock of App %s/%s is held by run %s, not by %s: the status is not written"
              .formatted(
                  change.namespace(),
                  change.app(),
                  claim.map(ChangeStatus::runId).orElse("(none)"),
                  change.runId()));
    }
  }
}
