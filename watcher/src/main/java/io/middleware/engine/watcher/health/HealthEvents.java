package io.middleware.engine.watcher.health;

import io.middleware.engine.api.App;

/** Records as an event of an App what is noticed about its health. */
@FunctionalInterface
public interface HealthEvents {
  /**
   * @param id of the event; the same for the same occurrence
   * @param warning whether something is wrong; otherwise it has ended
   */
  void record(App app, String id, boolean warning, String reason, String note);
}
