package io.middleware.engine.agent.driver;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.replication.ReplicationQueries;
import java.util.Map;
import java.util.Optional;

/**
 * Speaks with the middleware process in one pod: tells its part in the group, and acts on it.
 *
 * <p>An action runs on a thread of its own as long as it takes, and reports how far it is. It ends
 * soon after its thread is interrupted, which means that nobody wants it any more: with {@code
 * InterruptedException}, the process as serviceable as it can be left. It may be asked for again
 * after it ended in whatever way, and then finds done what is done. A driver is asked for one
 * action at a time.
 *
 * <p>What goes wrong is a {@link StatusRuntimeException} and goes to the caller as it is:
 * FAILED_PRECONDITION and the reason when the middleware refuses, which is not tried again;
 * UNAVAILABLE when the process does not answer or it is not known how the action ended, which is
 * tried again. An action that a driver leaves out is UNIMPLEMENTED.
 */
public interface Driver extends ReplicationQueries {

  /**
   * Makes another pod of the group the primary, one that has all that was acknowledged, and returns
   * when it is. At once when this pod is not the primary. Refused when no other pod may take over;
   * this pod is the primary then as before.
   *
   * @return name of the pod that is the primary now; empty when it is not known
   */
  default Optional<String> switchover(ProgressSink progress) throws InterruptedException {
    throw missing("switch over");
  }

  /**
   * Puts parameters in force without a restart. Refused when a value is not accepted, naming it;
   * what was accepted before may stay in force.
   *
   * @param parameters all that are to be in force, by name, with their values as text
   * @return for each of these names the very value asked for where the process says that it is in
   *     force, however it writes it ({@code 100mb} may be {@code 104857600} there), else the value
   *     that is
   */
  default Map<String, String> reload(Map<String, String> parameters, ProgressSink progress)
      throws InterruptedException {
    throw missing("reload parameters");
  }

  /** Makes the pod dispensable: what only it holds or does goes elsewhere before this returns. */
  default void drain(ProgressSink progress) throws InterruptedException {
    throw missing("drain");
  }

  private static StatusRuntimeException missing(String action) {
    return Status.UNIMPLEMENTED
        .withDescription("this agent has no way to " + action)
        .asRuntimeException();
  }
}
