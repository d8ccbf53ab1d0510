package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ChangeStatus;
import io.middleware.engine.api.ComponentHealth;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.ChangeOutcome;
import java.time.Instant;
import java.util.List;

/**
 * How an App stands. It is ready only when its last change succeeded and all wanted pods are ready,
 * and then speaks of the generation carried out: an edit that waits never borrows its readiness.
 */
record AppHealth(App app, GroupStates groups) {

  /** The health's part of the App's status. */
  AppStatus status(Instant now) {
    return part(
        phase().label(),
        groups.tally().ratio(),
        groups.byComponent(),
        List.of(verdict().condition(before().conditions(), now)));
  }

  /** The same part of the status as it is. */
  AppStatus present() {
    var present = before();
    return part(
        present.phase(),
        present.ready(),
        present.components(),
        Verdict.readyIn(present.conditions()));
  }

  /** A change runs, the App is being deleted, or nothing has ever been carried out. */
  boolean isChanging() {
    return app.isMarkedForDeletion() || isRunning() || !hasChanged();
  }

  private static AppStatus part(
      String phase, String ready, List<ComponentHealth> components, List<Condition> conditions) {
    return new AppStatus(null, null, phase, ready, null, null, null, null, components, conditions);
  }

  private Phase phase() {
    if (app.isMarkedForDeletion()) {
      return Phase.DELETING;
    }
    if (isRunning() && before().plan() != null) {
      return Phase.AWAITING_APPROVAL;
    }
    if (isRunning() && app.isPaused()) {
      return Phase.PAUSED;
    }
    if (isRunning()) {
      return hasChanged() ? Phase.CHANGING : Phase.PROVISIONING;
    }
    if (!hasChanged()) {
      return Phase.PROVISIONING;
    }
    if (endedAs(ChangeOutcome.FAILED) || endedAs(ChangeOutcome.REJECTED)) {
      return Phase.FAILED;
    }
    if (!groups.tally().isComplete()) {
      return Phase.DEGRADED;
    }
    return groups.areStopped() ? Phase.STOPPED : Phase.RUNNING;
  }

  private Verdict verdict() {
    var tally = groups.tally();
    var generation = app.getMetadata().getGeneration();
    if (app.isMarkedForDeletion()) {
      return inProgress("being deleted: ", generation);
    }
    if (isRunning()) {
      return inProgress(task(), change().generation());
    }
    if (!hasChanged()) {
      return inProgress("waiting for the first change: ", generation);
    }
    var observed = before().observedGeneration();
    if (!endedAs(ChangeOutcome.SUCCEEDED)) {
      return Verdict.notReady(
          "Change" + change().outcome(), words(change()) + tally.inWords(), observed);
    }
    if (groups.areStopped()) {
      return Verdict.stopped(tally, observed);
    }
    return tally.isComplete()
        ? Verdict.ready(tally, observed)
        : Verdict.notReady(Reasons.PODS_NOT_READY, tally.inWords(), observed);
  }

  private Verdict inProgress(String what, Long generation) {
    return Verdict.notReady(
        Reasons.CHANGE_IN_PROGRESS, what + groups.tally().inWords(), generation);
  }

  private String task() {
    return change().currentTask() == null ? "" : "task " + change().currentTask() + ": ";
  }

  private static String words(ChangeStatus change) {
    return change.message() == null || change.message().isEmpty() ? "" : change.message() + "; ";
  }

  private boolean isRunning() {
    return change() != null && change().outcome() == null;
  }

  private boolean endedAs(ChangeOutcome outcome) {
    return change() != null && outcome.label().equals(change().outcome());
  }

  /** Whether any change has ended, however. */
  private boolean hasChanged() {
    return change() != null && before().observedGeneration() != null;
  }

  private ChangeStatus change() {
    return before().change();
  }

  private AppStatus before() {
    return app.getStatus() == null
        ? new AppStatus(null, null, null, null, null, null, null, null, null, null)
        : app.getStatus();
  }
}
