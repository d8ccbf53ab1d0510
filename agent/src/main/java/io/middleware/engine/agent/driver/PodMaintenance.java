package io.middleware.engine.agent.driver;

/** Maintains the process of one pod for its group, without requests from the engine. */
@FunctionalInterface
public interface PodMaintenance {

  /**
   * Checks the process and corrects it where necessary. One thread calls this method periodically;
   * when something does not answer, the next call retries.
   *
   * @return whether the pod serves, that is, whether it is ready
   */
  boolean maintain();
}
