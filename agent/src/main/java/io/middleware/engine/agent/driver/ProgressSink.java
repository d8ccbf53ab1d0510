package io.middleware.engine.agent.driver;

/** Receives the progress of an action. */
@FunctionalInterface
public interface ProgressSink {

  /**
   * @param message for people, for example {@code waiting for cache-1 to catch up, 2 MiB behind}; a
   *     longer message than the protocol allows is cut
   * @param percent 0 to 100; 0 also when the progress is unknown
   */
  void report(String message, int percent);
}
