package io.middleware.engine.cluster.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.change.PlanStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.cluster.status.AppStatusWriter.Part;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;

/**
 * Shows in an App's status what a change would do. The plan has a field manager of its own:
 * planning writes it, and the change's reports remove it. Only the run that holds the run lock
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
        new AppStatusWriter(
            client, new Part(MANAGER, status -> part(status.plan())), (app, event) -> {});
  }

  /**
   * Shows this plan and no other.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when the App is gone or has
   *     another uid, or another run holds the run lock
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

  /** Removes the plan that this App shows; a later plan stays. */
  void clear(App app) {
    if (app.getStatus() != null && app.getStatus().plan() != null) {
      writer.write(AppId.of(app), now -> cleared(now, app.getStatus().plan()));
    }
  }

  /** Empty when another run holds the run lock. */
  static Optional<AppStatus> shown(App app, ChangeRef change, PlanStatus plan) {
    return Optional.ofNullable(app.getStatus())
        .map(AppStatus::change)
        .filter(lock -> change.runId().equals(lock.runId()))
        .map(lock -> part(plan));
  }

  /** Empty when the App shows another plan, or none. */
  static Optional<AppStatus> cleared(App app, PlanStatus seen) {
    return Optional.ofNullable(app.getStatus())
        .filter(now -> seen.equals(now.plan()))
        .map(now -> part(null));
  }

  private static AppStatus part(PlanStatus plan) {
    return AppStatusBuilder.builder().plan(plan).build();
  }
}
