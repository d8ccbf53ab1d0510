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
        ReadyVerdict.readyIn(present.conditions()));
  }

  /** A change runs, the App is being deleted, or nothing has ever been carried out. */
  boolean isChanging() {
    return app.isMarkedForDeletion() || isRunning() || !hasChanged();
  }

  private static AppStatus part(
      String phase, String ready, List<ComponentHealth> components, List<Condition> conditions) {
    return new AppStatus(null, null, phase, ready, null, null, null, null, components, conditions);
  }

  private HealthPhase phase() {
    if (app.isMarkedForDeletion()) {
      return HealthPhase.DELETING;
    }
    if (isRunning() && before().plan() != null) {
      return HealthPhase.AWAITING_APPROVAL;
    }
    if (isRunning() && app.isPaused()) {
      return HealthPhase.PAUSED;
    }
    if (isRunning()) {
      return hasChanged() ? HealthPhase.CHANGING : HealthPhase.PROVISIONING;
    }
    if (!hasChanged()) {
      return HealthPhase.PROVISIONING;
    }
    if (endedAs(ChangeOutcome.FAILED) || endedAs(ChangeOutcome.REJECTED)) {
      return HealthPhase.FAILED;
    }
    if (!groups.tally().isComplete()) {
      return HealthPhase.DEGRADED;
    }
    return groups.areStopped() ? HealthPhase.STOPPED : HealthPhase.RUNNING;
  }

  private ReadyVerdict verdict() {
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
      return ReadyVerdict.notReady(
          "Change" + change().outcome(), words(change()) + tally.inWords(), observed);
    }
    if (groups.areStopped()) {
      return ReadyVerdict.stopped(tally, observed);
    }
    return tally.isComplete()
        ? ReadyVerdict.ready(tally, observed)
        : ReadyVerdict.notReady(Reasons.PODS_NOT_READY, tally.inWords(), observed);
  }

  private ReadyVerdict inProgress(String what, Long generation) {
    return ReadyVerdict.notReady(
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
