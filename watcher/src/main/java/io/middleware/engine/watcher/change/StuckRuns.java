package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;

/** Is told of runs that make no progress. */
@FunctionalInterface
public interface StuckRuns {

  /**
   * @param run whose {@link OpenRun#trouble} is present; it is repeated while that lasts
   */
  void report(App app, OpenRun run);
}
