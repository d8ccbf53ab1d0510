package io.middleware.engine.activities.pods;

import io.middleware.engine.cluster.runlock.RunLockWatch;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Follows what agents do, in one pod or in several at a time. Each message is used to check that
 * the run still holds the run lock, to send a heartbeat (through which a cancel arrives), and to
 * show in the status what takes long.
 */
public final class AgentActionProgress implements ActionProgress {
  private final Lock oneAtATime = new ReentrantLock();
  private final RunLockWatch runLock;
  private final Consumer<String> heartbeat;
  private final ActionProgressWriter.Action action;

  public AgentActionProgress(
      RunLockWatch runLock, Consumer<String> heartbeat, ActionProgressWriter.Action action) {
    this.runLock = runLock;
    this.heartbeat = heartbeat;
    this.action = action;
  }

  public static AgentActionProgress of(PodStepContext context, ChangeRef change) {
    return new AgentActionProgress(
        context.gate().watch(change),
        context.waiter().heartbeat()::send,
        context.reporter().progressOf(change));
  }

  @Override
  public void accept(String message) {
    oneAtATime.lock();
    try {
      runLock.check();
      heartbeat.accept(message);
      action.report(message);
    } finally {
      oneAtATime.unlock();
    }
  }

  @Override
  public void done() {
    action.done();
  }
}
