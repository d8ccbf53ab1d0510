package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.pods.PodReplacement.Cluster;
import io.middleware.engine.activities.status.ActionBoard;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.function.Consumer;

/**
 * Follows what an agent does in a pod. With each word of it: the App must be this run's still, a
 * cancel gets through, and people see what takes long.
 */
final class Following implements Consumer<String>, AutoCloseable {
  private final Cluster cluster;
  private final ClaimWatch claim;
  private final ActionBoard.Action action;

  Following(Cluster cluster, ChangeRef change) {
    this.cluster = cluster;
    this.claim = new ClaimWatch(cluster.fence(), cluster.view(), change);
    this.action = cluster.board().open(change);
  }

  @Override
  public void accept(String words) {
    claim.look();
    cluster.waiting().tell(words);
    action.tell(words);
  }

  @Override
  public void close() {
    action.close();
  }
}
