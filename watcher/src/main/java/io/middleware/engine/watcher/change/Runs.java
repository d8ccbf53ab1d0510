package io.middleware.engine.watcher.change;

/** The runs that carry Apps' changes out. */
public interface Runs {

  /**
   * Tells the App's open run, or starts one. Durable once it returns; telling twice is harmless.
   *
   * @throws RunsAwayException when it may not have been told
   */
  void signal(Signal signal);

  /**
   * Whether the App has an open run.
   *
   * @throws RunsAwayException when that cannot be told now
   */
  boolean isOpen(String namespace, String app);
}
