package io.middleware.engine.agent.driver;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.replication.ReplicationQueries;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Controls the middleware process of one pod: reports its role and performs actions on it.
 *
 * <p>An action runs on its own thread, takes the time that it needs, and reports its progress. The
 * agent calls one of switchover, reload, drain and persist at a time. It interrupts the thread when
 * no client waits for the action any more: the action then throws {@code InterruptedException} soon
 * and leaves the process in a usable state. Actions are idempotent: a repeated action skips the
 * work that is already done.
 *
 * <p>Every failure is a {@link StatusRuntimeException}, which the client receives unchanged:
 *
 * <ul>
 *   <li>FAILED_PRECONDITION with the reason, when the middleware refuses; clients do not retry.
 *   <li>UNAVAILABLE, when the process does not answer or the result is unknown; clients retry.
 *   <li>UNIMPLEMENTED, for actions that a driver does not implement.
 * </ul>
 */
public interface Driver extends ReplicationQueries {
  /** How long a process that is to be ended acknowledges nothing. */
  Duration LONGEST_PAUSE = Duration.ofMinutes(4);

  /**
   * Makes another pod of the group the primary and returns when it is. The new primary has all
   * acknowledged writes. Returns at once when this pod is not the primary, or is the one that is to
   * be. Refused when no other pod, or not the named one, can take over; this pod then stays the
   * primary.
   *
   * @param successor name of the pod that is to be the primary; empty for any
   * @return the name of the current primary pod; empty when it is unknown
   */
  default Optional<String> switchover(Optional<String> successor, ProgressSink progress)
      throws InterruptedException {
    throw unimplemented("switch over");
  }

  /**
   * Applies parameters without a restart. Refused when the process does not accept a value; the
   * message names the parameter. Parameters that were applied before that may stay applied.
   *
   * @param parameters all desired parameters, values as text
   * @return the value of each parameter: exactly the desired value where the process reports an
   *     equal one ({@code 100mb} equals {@code 104857600}), otherwise the reported value
   */
  default Map<String, String> reload(Map<String, String> parameters, ProgressSink progress)
      throws InterruptedException {
    throw unimplemented("reload parameters");
  }

  /**
   * Which of the parameters that are Secrets has another value in the files of the pod. A reload
   * waits for it.
   *
   * @param digests by parameter, as the protocol defines them
   */
  default Optional<OutdatedSecret> outdatedSecret(String salt, Map<String, String> digests) {
    return Optional.empty();
  }

  /** Moves everything that only this pod holds or does to other pods, then returns. */
  default void drain(ProgressSink progress) throws InterruptedException {
    throw unimplemented("drain");
  }

  /**
   * Makes everything that the process has acknowledged durable, then returns. A process that does
   * not run has nothing to make durable. Refused when the process cannot write.
   *
   * @param beforeEnd whether the process is ended next: from the beginning on nothing more is
   *     acknowledged, until this fails, until {@link #resume}, or for {@link #LONGEST_PAUSE} after
   *     the return
   */
  default void persist(boolean beforeEnd, ProgressSink progress) throws InterruptedException {
    throw unimplemented("make its data durable");
  }

  /** Ends the pause that {@link #persist} has begun, if there is one. */
  default void resume() {}

  /**
   * Runs an action that the Plugin declares; it may run beside the other actions. Refused when the
   * action is not known, or a parameter is not accepted.
   *
   * @return how the action ended, whether well or not
   */
  default ActionOutput runAction(ActionRequest request, ProgressSink progress)
      throws InterruptedException {
    throw unimplemented("run the action " + request.name());
  }

  /**
   * The answer to a question that a check asks, at this moment. Refused when the driver does not
   * know the question, or the process is in no state to answer it.
   *
   * @return a number or a word
   */
  default String measure(String question) {
    throw Status.FAILED_PRECONDITION
        .withDescription("this agent does not know the question " + question)
        .asRuntimeException();
  }

  private static StatusRuntimeException unimplemented(String action) {
    return Status.UNIMPLEMENTED.withDescription("this agent cannot " + action).asRuntimeException();
  }
}
