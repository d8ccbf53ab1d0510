package io.middleware.engine.watcher.change;

import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.util.Optional;

/** The workflow runs that carry out the changes of Apps. */
public interface ChangeRuns {

  /**
   * Signals the App's open run, or starts one. Durable once it returns; signalling twice is
   * harmless.
   *
   * @throws TemporalUnavailableException when the signal may not have arrived
   */
  void signal(ChangeSignal signal);

  /**
   * Sends a control request to the App's open run and waits for the answer.
   *
   * @param id of the request; sent twice under one id, it is one request with one answer
   * @throws TemporalUnavailableException when there is no answer in time; the run may have received
   *     the request
   */
  RequestAnswer request(String namespace, String app, String id, ControlRequest control);

  /**
   * Starts a run for this change or Operation unless one is open; two concurrent calls start one
   * run.
   *
   * @return whether a run was started
   * @throws TemporalUnavailableException when the run may not have been started
   */
  boolean start(ChangeSignal change);

  /**
   * The App's open run, if it has one.
   *
   * @throws TemporalUnavailableException when this cannot be found out now
   */
  Optional<OpenRun> openRun(String namespace, String app);
}
