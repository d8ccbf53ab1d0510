package io.middleware.engine.agent.replication;

/**
 * The data of one pod, as an election compares them.
 *
 * @param number of the pod
 * @param mark {@link ReplicationMark#NONE} when its volume has none
 */
public record GroupCopy(long number, History history, ReplicationMark mark) {
  /** A server that has forgotten its offset reports 0 or 1. */
  private static final long FORGOTTEN = 1;

  /** Whether it has data of its group. */
  boolean hasData() {
    return !history.empty() && !mark.isForeign();
  }

  /** Whether only the mark says how much of the history it has. */
  boolean isForgetful() {
    return history.offset() <= FORGOTTEN && mark.epoch() > 0;
  }

  /** As far as it certainly reaches. */
  long offset() {
    return isForgetful() ? mark.offset() : history.offset();
  }
}
