package io.middleware.engine.watcher.change;

/** The runs that carry Apps' changes out. */
public interface ChangeRuns {

  /**
   * Tells the App's open run, or starts one. Durable once it returns; telling twice is harmless.
   *
   * @throws RunsAwayException when it may not have been told
   */
  void signal(ChangeSignal signal);

  /**
   * Asks the App's open run and waits for its answer.
   *
   * @param id of the request: asked twice under one id, it is one request, answered the same
   * @throws RunsAwayException when there is no answer in time; the run may have been asked
   */
  RequestAnswer ask(String namespace, String app, String id, ControlRequest control);

  /**
   * Starts a run that carries this wish out, unless one is open: two that start it make one run.
   *
   * @return whether it was started
   * @throws RunsAwayException when it may not have been started
   */
  boolean start(ChangeSignal wish);

  /**
   * Whether the App has an open run.
   *
   * @throws RunsAwayException when that cannot be told now
   */
  boolean isOpen(String namespace, String app);
}
