package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.kubernetes.RunLockWatch;
import io.middleware.engine.activities.pods.PodReplacement.Cluster;
import io.middleware.engine.activities.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Follows what agents do in a pod, or in several at a time. With each word of it: the App must be
 * this run's still, a cancel gets through, and people see what takes long.
 */
final class AgentActionProgress implements ConfigurationReload.Telling {
  private final Lock oneByOne = new ReentrantLock();
  private final RunLockWatch claim;
  private final Consumer<String> heartbeat;
  private final ActionProgressWriter.Action action;

  AgentActionProgress(
      RunLockWatch claim, Consumer<String> heartbeat, ActionProgressWriter.Action action) {
    this.claim = claim;
    this.heartbeat = heartbeat;
    this.action = action;
  }

  static AgentActionProgress of(Cluster cluster, ChangeRef change) {
    return new AgentActionProgress(
        new RunLockWatch(cluster.fence(), cluster.view(), change),
        cluster.waiting()::tell,
        cluster.board().open(change));
  }

  @Override
  public void accept(String words) {
    oneByOne.lock();
    try {
      claim.look();
      heartbeat.accept(words);
      action.tell(words);
    } finally {
      oneByOne.unlock();
    }
  }

  @Override
  public void done() {
    action.done();
  }
}
