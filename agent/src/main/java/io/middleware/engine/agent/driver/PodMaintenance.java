package io.middleware.engine.agent.driver;

/** Keeps the process of one pod as its group needs it, without being asked. */
@FunctionalInterface
public interface PodMaintenance {

  /**
   * Looks once, and does what is to be done; called again and again, by one thread. Goes on at the
   * next look where something did not answer.
   *
   * @return whether the pod serves: it is ready then
   */
  boolean look();
}
