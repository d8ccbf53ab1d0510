package io.middleware.engine.activities.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.activities.status.AppStatusWriter.Part;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.PlanStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;

/**
 * Shows in an App's status what would be done. A field manager of its own owns it, as whoever plans
 * writes it and whoever reports the change takes it away. Only the run that has claimed the App
 * writes.
 */
public final class PlanStatusWriter {
  private static final String MANAGER = "middleware-plan";

  private final AppStatusWriter writer;

  /**
   * @param client with the engine's own rights
   */
  public PlanStatusWriter(KubernetesClient client) {
    this.writer =
        new AppStatusWriter(client, new Part(MANAGER, true, status -> part(status.plan())));
  }

  /**
   * Shows this plan and no other.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when the App is gone, is
   *     another one of the same name, or is claimed by another run
   */
  public void show(ChangeRef change, PlanStatus plan) {
    var written =
        writer.write(
            new AppId(change.namespace(), change.app(), change.uid()),
            app -> shown(app, change, plan));
    if (written.isEmpty()) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "App %s/%s of uid %s is gone, or its run lock is not held by run %s: the plan is not shown"
              .formatted(change.namespace(), change.app(), change.uid(), change.runId()));
    }
  }

  /** Takes the plan away that this App shows, and no later one. */
  void clear(App app) {
    if (app.getStatus() != null && app.getStatus().plan() != null) {
      writer.write(AppId.of(app), now -> cleared(now, app.getStatus().plan()));
    }
  }

  /** Empty when another run has claimed the App. */
  static Optional<AppStatus> shown(App app, ChangeRef change, PlanStatus plan) {
    return Optional.ofNullable(app.getStatus())
        .map(AppStatus::change)
        .filter(claim -> change.runId().equals(claim.runId()))
        .map(claim -> part(plan));
  }

  /** Empty when the App shows another plan, or none. */
  static Optional<AppStatus> cleared(App app, PlanStatus seen) {
    return Optional.ofNullable(app.getStatus())
        .filter(now -> seen.equals(now.plan()))
        .map(now -> part(null));
  }

  private static AppStatus part(PlanStatus plan) {
    return new AppStatus(null, null, null, null, null, null, null, plan, null, null);
  }
}
