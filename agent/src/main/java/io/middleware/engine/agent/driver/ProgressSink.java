package io.middleware.engine.agent.driver;

/** Told how far an action is, as often as there is something new to say. */
@FunctionalInterface
public interface ProgressSink {

  /**
   * @param message for people, for example {@code waiting for cache-1 to catch up, 2 MiB behind};
   *     cut to what the protocol allows
   * @param percent 0 to 100; 0 also when it is not known
   */
  void report(String message, int percent);
}
