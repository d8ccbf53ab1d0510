package io.middleware.engine.activities.pods;

import io.middleware.engine.api.App;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.cluster.status.ForcedDeletionReport;
import io.middleware.engine.workflows.port.ChangeRef;

/** Reports what a step does to pods: in events, and in the App's status while it takes long. */
public final class StepReporter {
  private final EventRecorder events;
  private final ActionProgressWriter progress;
  private final ForcedDeletionReport forcedDeletion;

  public StepReporter(EventRecorder events, ActionProgressWriter progress) {
    this.events = events;
    this.progress = progress;
    this.forcedDeletion = new ForcedDeletionReport(events);
  }

  /** Records an event that is told from others by its own key. */
  public void record(App app, EngineEvent event) {
    events.record(app, event);
  }

  /** Records an event in the background, so that the next pod need not wait for it. */
  public void event(App app, String reason, String action, PodState pod, String note) {
    var key = reason + "/" + pod.uid();
    var event = new EngineEvent(key, EngineEvent.Kind.NORMAL, reason, action, note);
    Thread.startVirtualThread(() -> events.record(app, event));
  }

  /**
   * Records once per run, in the background, that pods are left alone because data would go with
   * them.
   *
   * @param subject the same for the same pods
   */
  public void kept(App app, ChangeRef change, String subject, String why) {
    var key = "PodKept/%s/%s".formatted(change.runId(), subject);
    var event = new EngineEvent(key, EngineEvent.Kind.WARNING, "PodKept", "Keep", why);
    Thread.startVirtualThread(() -> events.record(app, event));
  }

  /** Records once per run, in the background, that clients read new secrets from now on. */
  public void secretsPublished(App app, ChangeRef change, String component, String note) {
    var key = "SecretsPublished/%s/%s".formatted(change.runId(), component);
    var event = new EngineEvent(key, EngineEvent.Kind.NORMAL, "SecretsPublished", "Rotate", note);
    Thread.startVirtualThread(() -> events.record(app, event));
  }

  /** Records once per run, in the background, that no budget will ever let this pod go. */
  public void neverEvicted(App app, ChangeRef change, PodState pod, String note) {
    var key = "EvictionNeverAllowed/%s/%s".formatted(change.runId(), pod.uid());
    var event =
        new EngineEvent(key, EngineEvent.Kind.WARNING, "EvictionNeverAllowed", "Replace", note);
    Thread.startVirtualThread(() -> events.record(app, event));
  }

  /** A pod that is stopped although its data are not durable, as those of the primary are. */
  public void notDurable(App app, PodState pod, String why) {
    var note = "pod %s is stopped, and its data are not durable: %s".formatted(pod.name(), why);
    events.record(
        app,
        new EngineEvent(
            "DataNotDurable/" + pod.uid(),
            EngineEvent.Kind.WARNING,
            "DataNotDurable",
            "Persist",
            note));
  }

  public void notDrained(App app, PodState pod, String note) {
    events.record(
        app,
        new EngineEvent(
            "drain/" + pod.uid(), EngineEvent.Kind.WARNING, "PodNotDrained", "Drain", note));
  }

  public void notSwitchedOver(App app, PodState pod, String note) {
    var key = "switchover/" + pod.uid();
    events.record(
        app,
        new EngineEvent(
            key, EngineEvent.Kind.WARNING, "PrimaryNotSwitchedOver", "Switchover", note));
  }

  /** The volume claim of a member that has left, whose name another pod needs. */
  public void claimCleared(App app, ChangeRef change, String claim, String note) {
    var key = "claim/%s/%s".formatted(change.runId(), claim);
    var event =
        new EngineEvent(key, EngineEvent.Kind.NORMAL, "VolumeClaimDeleted", "Volumes", note);
    Thread.startVirtualThread(() -> events.record(app, event));
  }

  /**
   * A hook that has not run on pods that are not ready.
   *
   * @param step the same when it is repeated
   */
  public void hookNotRun(App app, String step, String note) {
    events.record(
        app,
        new EngineEvent("hook/" + step, EngineEvent.Kind.WARNING, "HookNotRun", "RunHook", note));
  }

  /**
   * Records once per run that a pod cannot be created, in the background.
   *
   * @param message begins with what it is about
   */
  public void notCreated(App app, ChangeRef change, String message) {
    var about = message.split(": ", 2)[0];
    var key = "creation/%s/%s".formatted(change.runId(), about);
    var event = new EngineEvent(key, EngineEvent.Kind.WARNING, "PodNotCreated", "Create", message);
    Thread.startVirtualThread(() -> events.record(app, event));
  }

  /** A pod that a forced deletion does not wait for any longer. */
  public void abandoned(App app, PodState pod, String why) {
    forcedDeletion.report(app, "pod " + pod.name(), why);
  }

  /** Progress of an action that starts now, for the status of the change's App. */
  public ActionProgressWriter.Action progressOf(ChangeRef change) {
    return progress.open(change);
  }

  /** The same of an action that takes long already. */
  public ActionProgressWriter.Action longProgressOf(ChangeRef change) {
    return progress.openLong(change);
  }
}
